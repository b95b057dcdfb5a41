"""Makes 150 monitors by the existing service's own client, 16 calls at a time, and prints how many there are and what was refused.

apply-side-by-side.py URL KEY
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from openstatus import ClientOptions, OpenstatusClient
from openstatus._gen.openstatus.monitor.v1.service_pb2 import (
    CreateHTTPMonitorRequest,
    ListMonitorsRequest,
)
from openstatus.exceptions import OpenstatusError

url, key = sys.argv[1:]
service = OpenstatusClient(ClientOptions(base_url=url, api_key=key)).monitor.v1.MonitorService


def make(number):
    wanted = {
        "name": f"shop {number}",
        "url": f"https://shop-{number}.test/",
        "periodicity": "PERIODICITY_1M",
        "method": "HTTP_METHOD_GET",
    }
    try:
        service.create_http_monitor(CreateHTTPMonitorRequest(monitor=wanted))
        return None
    except OpenstatusError as error:
        return f"{error.connect_code} {error}"


with ThreadPoolExecutor(16) as callers:
    refused = [why for why in callers.map(make, range(150)) if why is not None]
there = service.list_monitors(ListMonitorsRequest(limit=1)).total_size
print(json.dumps({"refused": refused, "there": there}))
