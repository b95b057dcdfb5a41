"""Calls every method of the existing service's own client against a service, and prints what came of it as JSON.

every-method.py URL KEY sync|async MONITOR: MONITOR is an HTTP monitor that an agent has checked and can check now.
"""

import asyncio
import json
import sys
import time

from openstatus import AsyncOpenstatusClient, ClientOptions, OpenstatusClient
from openstatus._gen.openstatus.health.v1 import health_pb2 as health
from openstatus._gen.openstatus.maintenance.v1 import service_pb2 as maintenance
from openstatus._gen.openstatus.monitor.v1 import service_pb2 as monitor
from openstatus._gen.openstatus.notification.v1 import service_pb2 as notification
from openstatus._gen.openstatus.status_page.v1 import service_pb2 as page
from openstatus._gen.openstatus.status_report.v1 import service_pb2 as report
from openstatus.exceptions import OpenstatusError

url, key, manner, seen = sys.argv[1:]
options = ClientOptions(base_url=url, api_key=key)
client = OpenstatusClient(options) if manner == "sync" else AsyncOpenstatusClient(options)
loop = asyncio.new_event_loop()
services = {
    "health": (client.health.v1.HealthService, health),
    "monitor": (client.monitor.v1.MonitorService, monitor),
    "notification": (client.notification.v1.NotificationService, notification),
    "page": (client.status_page.v1.StatusPageService, page),
    "report": (client.status_report.v1.StatusReportService, report),
    "maintenance": (client.maintenance.v1.MaintenanceService, maintenance),
}
methods = {
    f"{name}.{method}"
    for name, (service, _) in services.items()
    for method in dir(service)
    if not method.startswith("_")
}
called = []
wrong = []


def call(called_name, **fields):
    """The answer of a method; null where it was refused."""
    called.append(called_name)
    room, method = called_name.split(".")
    service, messages = services[room]
    words = "".join(
        word.upper() if word in ("http", "tcp", "dns") else word.capitalize()
        for word in method.split("_")
    )
    requests = {"Check": "CheckRequest"}
    request = getattr(messages, requests.get(words, f"{words}Request"))(**fields)
    try:
        answer = getattr(service, method)(request)
        return loop.run_until_complete(answer) if asyncio.iscoroutine(answer) else answer
    except OpenstatusError as error:
        wrong.append(f"{called_name}: {error.connect_code} {error}")
        return None


def same(what, got, wanted):
    if got != wanted:
        wrong.append(f"{what}: {got!r}, not {wanted!r}")


def monitors():
    shared = {"name": "shop", "periodicity": "PERIODICITY_30S", "active": True, "timeout": 5000}
    kinds = {
        "http": {**shared, "url": "https://shop.test:443/", "method": "HTTP_METHOD_GET"},
        "tcp": {**shared, "uri": "shop.test:443"},
        "dns": {**shared, "uri": "shop.test"},
    }
    for kind, fields in kinds.items():
        made = call(f"monitor.create_{kind}_monitor", monitor=fields).monitor
        changed = {**fields, "name": "store", "description": "what it is"}
        answer = call(f"monitor.update_{kind}_monitor", id=made.id, monitor=changed).monitor
        got = getattr(call("monitor.get_monitor", id=made.id).monitor, kind)
        same(f"the {kind} monitor that is read", got, answer)
        same(f"the {kind} monitor's name", got.name, "store")
        target = "url" if kind == "http" else "uri"
        same(f"the {kind} monitor's target", getattr(got, target), fields[target])
        same("a deletion", call("monitor.delete_monitor", id=made.id).success, True)
    same("monitors in all", call("monitor.list_monitors", limit=10).total_size, 1)
    same("a check now", call("monitor.trigger_monitor", id=seen).success, True)
    status = call("monitor.get_monitor_status", id=seen)
    same("statuses by region", [one.status for one in status.regions], [1])
    summary = call("monitor.get_monitor_summary", id=seen, time_range="TIME_RANGE_7D")
    same("failed checks", summary.total_failed, 0)
    logs = call("monitor.list_monitor_http_response_logs", id=seen, limit=10).logs
    detail = call("monitor.get_monitor_http_response_log", id=seen, log_id=logs[0].id).log
    same("the log that is read", detail.log.id, logs[0].id)


def channels():
    data = {"ntfy": {"topic": "shop", "server_url": "https://ntfy.sh"}}
    provider = "NOTIFICATION_PROVIDER_NTFY"
    asked = {"name": "ops", "provider": provider, "data": data, "monitor_ids": [seen]}
    made = call("notification.create_notification", **asked).notification
    changed = {"id": made.id, "name": "night", "data": data}
    call("notification.update_notification", **changed)
    got = call("notification.get_notification", id=made.id).notification
    same("the channel", (got.name, got.data.ntfy.server_url), ("night", "https://ntfy.sh"))
    same("channels", call("notification.list_notifications").total_size, 1)
    same("room", call("notification.check_notification_limit").limit_reached, False)
    # Nothing listens there: the answer says so.
    nowhere = {"ntfy": {"topic": "shop", "server_url": "http://127.0.0.1:9"}}
    sent = call("notification.send_test_notification", provider=provider, data=nowhere)
    same("a test that no one takes", sent.success, False)
    same("a deletion", call("notification.delete_notification", id=made.id).success, True)


def pages():
    made = call("page.create_status_page", title="Acme", slug="acme", icon="https://acme.test/i")
    own = made.status_page.id
    call("page.update_status_page", id=own, title="Acme Inc", password=" secret ")
    got = call("page.get_status_page", id=own).status_page
    same("the page", (got.title, got.password), ("Acme Inc", " secret "))
    same("pages", call("page.list_status_pages").total_size, 1)
    group = call("page.create_component_group", page_id=own, name="Web").group.id
    call("page.update_component_group", id=group, name="Web and mail")
    shop = call("page.add_monitor_component", page_id=own, monitor_id=seen, group_id=group)
    desk = call("page.add_static_component", page_id=own, name="Desk").component.id
    call("page.update_component", id=desk, name="Help desk", order=2)
    content = call("page.get_status_page_content", slug="acme")
    same("components", len(content.components), 2)
    call("page.get_overall_status", id=own)
    subscribers(own)
    reports(own, desk)
    maintenances(own, desk)
    same("a removal", call("page.remove_component", id=shop.component.id).success, True)
    same("a deletion", call("page.delete_component_group", id=group).success, True)
    same("a deletion", call("page.delete_status_page", id=own).success, True)


def subscribers(own):
    asked = call("page.subscribe_to_page", page_id=own, email="ann@acme.test").subscriber
    hook = {"webhook_url": "https://hook.test:443/in", "headers": [{"key": "x-a", "value": "b"}]}
    made = call("page.create_page_subscription", page_id=own, webhook_channel=hook).subscriber
    same("the webhook", made.webhook_url, hook["webhook_url"])
    same("subscribers", call("page.list_subscribers", page_id=own).total_size, 2)
    left = call("page.unsubscribe_from_page", page_id=own, id=asked.id)
    same("a leaving", left.success, True)


def reports(own, component):
    said = {"status": "STATUS_REPORT_STATUS_INVESTIGATING", "message": "We look into it."}
    named = {"page_id": own, "page_component_ids": [component], "date": "2026-01-01T00:00:00Z"}
    made = call("report.create_status_report", title="Slow", **said, **named).status_report.id
    call("report.update_status_report", id=made, title="Slow mail")
    call("report.add_status_report_update", status_report_id=made, **said)
    got = call("report.get_status_report", id=made).status_report
    same("the report", (got.title, len(got.updates)), ("Slow mail", 2))
    same("reports", call("report.list_status_reports").total_size, 1)
    same("a deletion", call("report.delete_status_report", id=made).success, True)


def maintenances(own, component):
    window = {"from": "2099-01-01T00:00:00Z", "to": "2099-01-01T01:00:00Z"}
    named = {"page_id": own, "page_component_ids": [component]}
    work = {"title": "Upgrade", "message": "Read-only.", **named, **window}
    made = call("maintenance.create_maintenance", **work).maintenance.id
    call("maintenance.update_maintenance", id=made, title="Long upgrade")
    got = call("maintenance.get_maintenance", id=made).maintenance
    same("the maintenance", got.title, "Long upgrade")
    same("maintenances", call("maintenance.list_maintenances").total_size, 1)
    same("a deletion", call("maintenance.delete_maintenance", id=made).success, True)


call("health.check")
monitors()
channels()
pages()
print(json.dumps({"uncalled": sorted(methods - set(called)), "calls": len(called), "wrong": wrong}))
