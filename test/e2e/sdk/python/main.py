"""What programs of the Python client do to the cluster that KUBECONFIG names; each line says what worked."""

import os
import socket
import sys
import threading

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException


def expect(condition, text):
    if not condition:
        sys.exit(f"not ok python: {text}")


def status_of(call):
    """The HTTP status with which a call fails."""
    try:
        call()
    except ApiException as error:
        return error.status
    return 200


def config_map(name, data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"from": "python"}), data=data)


def typed(core, namespace):
    made = core.create_namespaced_config_map(namespace, config_map("typed", {"a": "1"}))
    expect(made.metadata.uid, "an object is created")
    made.data["a"] = "2"
    changed = core.replace_namespaced_config_map("typed", namespace, made)
    expect(changed.data == {"a": "2"}, "an object is replaced")
    made.data["a"] = "3"
    expect(status_of(lambda: core.replace_namespaced_config_map("typed", namespace, made)) == 409, "an old version is a conflict")
    core.patch_namespaced_config_map("typed", namespace, {"data": {"b": "3"}})
    core.patch_namespaced_config_map("typed", namespace, [{"op": "add", "path": "/data/c", "value": "4"}])
    expect(core.read_namespaced_config_map("typed", namespace).data == {"a": "2", "b": "3", "c": "4"}, "patches are read back")
    listed = core.list_namespaced_config_map(namespace, label_selector="from=python")
    expect([item.metadata.name for item in listed.items] == ["typed"], "a list is selected")
    expect(status_of(lambda: core.read_namespaced_config_map("missing", namespace)) == 404, "what is missing is not found")


def watched(core, namespace):
    version = core.list_namespaced_config_map(namespace).metadata.resource_version
    seen = []

    def act():
        core.create_namespaced_config_map(namespace, config_map("watched", {}))
        core.patch_namespaced_config_map("watched", namespace, {"data": {"a": "1"}})
        core.delete_namespaced_config_map("watched", namespace)

    actor = threading.Thread(target=act)
    stream = watch.Watch()
    actor.start()
    for event in stream.stream(core.list_namespaced_config_map, namespace, resource_version=version, timeout_seconds=20):
        seen.append(event["type"])
        if event["type"] == "DELETED":
            stream.stop()
    actor.join()
    expect(seen == ["ADDED", "MODIFIED", "DELETED"], f"a watch tells {seen}")


def over_a_restart(core, namespace, address):
    """A watch ends without an error when the server shuts down, and goes on from there after the start."""
    version = core.list_namespaced_config_map(namespace).metadata.resource_version
    host, port = address.split(":")

    def restart():
        with socket.create_connection((host, int(port))) as connection:
            connection.recv(1)
        core.create_namespaced_config_map(namespace, config_map("after", {}))

    actor = threading.Thread(target=restart)
    with core.list_namespaced_config_map(namespace, resource_version=version, watch=True, _preload_content=False) as answer:
        actor.start()
        expect(answer.read() == b"", "a watch ends cleanly at the shutdown")
    actor.join()
    stream = watch.Watch()
    for event in stream.stream(core.list_namespaced_config_map, namespace, resource_version=version, timeout_seconds=20):
        expect(event["object"].metadata.name == "after", "a watch goes on after the start")
        stream.stop()


def applied(api, namespace):
    resource = dynamic.DynamicClient(api).resources.get(api_version="apps/v1", kind="Deployment")
    body = {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "applied"},
        "spec": {
            "replicas": 2, "selector": {"matchLabels": {"app": "a"}},
            "template": {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "main", "image": "example.com/main:1"}]}},
        },
    }
    made = resource.server_side_apply(body, namespace=namespace, field_manager="python")
    expect(made.metadata.generation == 1, "apply creates")
    body["spec"]["replicas"] = 3
    again = resource.server_side_apply(body, namespace=namespace, field_manager="python")
    expect(again.spec.replicas == 3 and again.metadata.generation == 2, "apply changes")
    body["spec"]["replicas"] = 4
    expect(status_of(lambda: resource.server_side_apply(body, namespace=namespace, field_manager="other")) == 409, "another's field is a conflict")
    resource.delete(name="applied", namespace=namespace)


def restarted(core, namespace):
    """A step, where the cluster can be restarted."""
    address = os.environ.get("SDK_RESTART")
    return None if address is None else lambda: over_a_restart(core, namespace, address)


def main():
    api = config.new_client_from_config()
    core = client.CoreV1Api(api)
    namespace = core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(generate_name="sdk-python-"))).metadata.name
    for name, step in (
        ("typed objects are created, read, listed, replaced and patched", lambda: typed(core, namespace)),
        ("a watch tells each change", lambda: watched(core, namespace)),
        ("objects are applied", lambda: applied(api, namespace)),
        ("a watch ends cleanly at a shutdown and goes on after the start", restarted(core, namespace)),
        ("a namespace is deleted", lambda: core.delete_namespace(namespace)),
    ):
        if step is None:
            print(f"!!! LEFT OUT: python, {name}, for this cluster is not the suite's own")
            continue
        step()
        print(f"ok python: {name}")


main()
