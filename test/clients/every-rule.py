"""Breaks each rule that the existing service's own client knows of a request, one by one, and prints what was answered.

every-rule.py URL KEY: the client's package has the contract's descriptors, and these have the rules (buf.validate). A
rule is kept where the answer is invalid_argument and its sentence names the field.
"""

import copy
import json
import sys

import httpx
from google.protobuf import descriptor as d
from openstatus._gen.buf.validate import validate_pb2 as validate
from openstatus._gen.openstatus.maintenance.v1 import service_pb2 as maintenance
from openstatus._gen.openstatus.monitor.v1 import service_pb2 as monitor
from openstatus._gen.openstatus.notification.v1 import service_pb2 as notification
from openstatus._gen.openstatus.status_page.v1 import service_pb2 as page
from openstatus._gen.openstatus.status_report.v1 import service_pb2 as report

url, key = sys.argv[1:]
http = httpx.Client(timeout=60, headers={"x-openstatus-key": key})

# What a valid request says, by the names of its fields. Ids are those of the objects that are made below.
texts = {
    "name": "shop",
    "url": "https://shop.test/",
    "uri": "shop.test:443",
    "key": "x-one",
    "value": "two",
    "record": "A",
    "endpoint": "https://hook.test/in",
    "webhook_url": "https://hooks.slack.com/services/T/B/x",
    "email": "ann@acme.test",
    "topic": "shop",
    "integration_key": "0123456789abcdef0123456789abcdef",
    "api_key": "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f",
    "phone_number": "+491701234567",
    "chat_id": "-1001234",
    "title": "Acme",
    "slug": "acme",
    "icon": "https://acme.test/icon.png",
    "custom_domain": "status.acme.test",
    "password": "secret",
    "message": "We look into it.",
    "description": "what it is",
    "from": "2099-01-01T00:00:00Z",
    "to": "2099-01-01T01:00:00Z",
    "date": "2026-01-01T00:00:00Z",
    "log_id": "1-1",
    ("DNSMonitor", "uri"): "shop.test",
    ("WebhookChannel", "webhook_url"): "https://hook.test/in",
}
ids = {}
cases = {}


def call(method, request):
    answer = http.post(f"{url}/rpc/{method.containing_service.full_name}/{method.name}", json=request)
    return answer.status_code, answer.json()


def rules_of(field):
    options = field.GetOptions()
    return options.Extensions[validate.field] if options.HasExtension(validate.field) else None


def valid(message, method, depth=0):
    """A request with every field of which there is a rule."""
    made = {}
    for field in message.fields:
        oneof = field.containing_oneof
        is_case = oneof is not None and not oneof.name.startswith("_")
        if is_case and cases.get(oneof.name, field.name) != field.name:
            continue
        value = valid_field(field, method, depth, rules_of(field))
        if value is not None:
            made[field.name] = [value] if field.is_repeated else value
    return made


def valid_field(field, method, depth, rules):
    if field.name in ("id", "page_id", "monitor_id", "status_report_id"):
        return ids.get((method.name, field.name)) or ids.get(field.name)
    if field.type == d.FieldDescriptor.TYPE_MESSAGE:
        is_map = field.message_type.GetOptions().map_entry
        return None if is_map else valid(field.message_type, method, depth + 1)
    if rules is None and field.name not in ("target", "value"):
        return None
    if field.type == d.FieldDescriptor.TYPE_STRING:
        own = (field.containing_type.name, field.name)
        return texts.get(own) or texts.get(field.name, "ok")
    if field.type == d.FieldDescriptor.TYPE_ENUM:
        return 1
    return {"limit": 1, "offset": 0, "target": 200}.get(field.name, 1)


def breaches(field, rules):
    """Values that break a rule, each with the rule's name."""
    text, number, many = rules.string, rules.int64, rules.repeated
    if rules.HasField("int32"):
        number = rules.int32
    if rules.HasField("string"):
        if text.HasField("min_len"):
            yield "min_len", ""
        if text.HasField("max_len"):
            own = (field.containing_type.name, field.name)
            given = texts.get(own) or texts.get(field.name, "a")
            yield "max_len", given.ljust(text.max_len + 1, "a")
        if text.HasField("uri"):
            yield "uri", "no uri"
        if text.HasField("email"):
            yield "email", "no address"
        if text.HasField("pattern"):
            yield "pattern", "No Match"
        if getattr(text, "in"):
            yield "in", "ZZZ"
    if rules.HasField("int32") or rules.HasField("int64"):
        if number.HasField("gte"):
            yield "gte", number.gte - 1
        if number.HasField("lte"):
            yield "lte", number.lte + 1
    if rules.HasField("enum"):
        if 0 in rules.enum.not_in:
            yield "not_in 0", 0
        if rules.enum.defined_only:
            yield "defined_only", 77
    if rules.HasField("repeated"):
        if many.HasField("max_items"):
            yield "max_items", many.max_items
        if many.items.HasField("enum"):
            yield "items not_in 0", [0]
    if rules.required:
        yield "required", None


def broken(request, path, breach, value):
    """The request with one value that breaks a rule."""
    changed = copy.deepcopy(request)
    at = changed
    for name in path[:-1]:
        at = at[name][0] if isinstance(at[name], list) else at[name]
    last = path[-1]
    if value is None:
        at.pop(last, None)
    elif breach == "max_items":
        at[last] = [(at.get(last) or [1])[0]] * (value + 1)
    else:
        at[last] = value
    return changed


def walk(message, path=()):
    for field in message.fields:
        rules = rules_of(field)
        if rules is not None:
            yield (*path, field.name), field, rules
        if field.type == d.FieldDescriptor.TYPE_MESSAGE and not field.message_type.GetOptions().map_entry:
            yield from walk(field.message_type, (*path, field.name))


def is_there(request, path):
    at = request
    for name in path[:-1]:
        if name not in at:
            return False
        at = at[name][0] if isinstance(at[name], list) else at[name]
    return True


made = {}
found = []


def furnish(service, called, **ask):
    method = service.methods_by_name[called]
    status, answer = call(method, ask)
    assert status == 200, (called, answer)
    return next(iter(answer.values()))["id"]


services = [
    module.DESCRIPTOR.services_by_name[name]
    for module, name in (
        (monitor, "MonitorService"),
        (notification, "NotificationService"),
        (page, "StatusPageService"),
        (report, "StatusReportService"),
        (maintenance, "MaintenanceService"),
    )
]
monitors, channels, pages, reports, works = services
shared = {"name": "shop", "periodicity": 1, "active": True}
targets = {"HTTP": {"url": texts["url"]}, "TCP": {"uri": texts["uri"]}, "DNS": {"uri": "shop.test"}}
for kind, target in targets.items():
    own = furnish(monitors, f"Create{kind}Monitor", monitor={**shared, **target})
    ids[f"Update{kind}Monitor", "id"] = own
    ids.setdefault("id", own)
    ids.setdefault("monitor_id", own)
create = channels.methods_by_name["CreateNotification"]
providers = [field.name for field in create.input_type.fields_by_name["data"].message_type.fields]
channel_of = {}
for number, provider in enumerate(providers, 1):
    cases["data"] = provider
    data = valid(create.input_type.fields_by_name["data"].message_type, create)
    channel_of[provider] = furnish(
        channels, "CreateNotification", name="ops", provider=number, data=data
    )
ids["page_id"] = furnish(pages, "CreateStatusPage", title="First", slug="first")
own = {"page_id": ids["page_id"]}
ids["UpdateComponent", "id"] = furnish(pages, "AddStaticComponent", name="Desk", **own)
ids["UpdateComponentGroup", "id"] = furnish(pages, "CreateComponentGroup", name="Web", **own)
ids["status_report_id"] = furnish(
    reports, "CreateStatusReport", title="Slow", status=1, message="m", date=texts["date"], **own
)
window = {"from": texts["from"], "to": texts["to"]}
furnish(works, "CreateMaintenance", title="Upgrade", message="m", **own, **window)


def try_rules(method, request):
    for path, field, rules in walk(method.input_type):
        if not is_there(request, path):
            continue
        for breach, value in breaches(field, rules):
            rule = f"{method.name} {'.'.join(path)}: {breach}"
            status, answer = call(method, broken(request, path, breach, value))
            code, message = answer.get("code"), answer.get("message", "")
            isnamed = field.name in message or (field.name.endswith("id") and "id is missing" in message)
            made[rule] = code
            if code != "invalid_argument" or not isnamed:
                found.append(rule if code is None else f"{rule}: {code} {message}"[:200])


for service in services:
    for method in service.methods:
        choices = [None]
        if any(field.name == "data" for field in method.input_type.fields):
            choices = providers
        if method.name == "CreatePageSubscription":
            choices = ["email_channel", "webhook_channel"]
        for number, case in enumerate(choices):
            cases["data" if "data" in method.input_type.fields_by_name else "channel"] = case
            request = valid(method.input_type, method)
            if method.name == "UpdateNotification":
                request["id"] = channel_of[case]
            if "provider" in request:
                request["provider"] = 1 + number
            try_rules(method, request)

print(json.dumps({"rules": len(made), "different": sorted(set(found))}))
