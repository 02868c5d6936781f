"""OpenStack Swift with its S3 API, on loopback ports and in one folder, as one process.

Usage: server.py FOLDER. The keys are kit:tester and testing. Prints the port of the S3 API, and ends when its input ends.
"""
import os
import sys

import eventlet
import eventlet.tpool
import eventlet.wsgi

eventlet.monkey_patch()

from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402

(folder,) = sys.argv[1:]
utils.SWIFT_CONF_FILE = os.path.join(folder, "swift.conf")
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b"kit"
with open(utils.SWIFT_CONF_FILE, "w") as file:
    file.write("[swift-hash]\nswift_hash_path_suffix = kit\n[storage-policy:0]\nname = one\ndefault = yes\n")

from paste.deploy import loadapp  # noqa: E402


class Cache:
    """Stands in for memcached, which Swift needs for the proxies of several computers."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def incr(self, key, delta=1, **_):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]

    def delete(self, key, **_):
        self.values.pop(key, None)


def write_configuration(name, text):
    path = os.path.join(folder, name + ".conf")
    with open(path, "w") as file:
        file.write(text)
    return "config:" + path


def serve(listener, app):
    quiet = open(os.devnull, "w")
    eventlet.spawn_n(eventlet.wsgi.server, listener, app, log=quiet, debug=False, socket_timeout=60)


listeners = {name: eventlet.listen(("127.0.0.1", 0)) for name in ("account", "container", "object", "proxy")}
os.makedirs(os.path.join(folder, "devices/one"))
for name in ("account", "container", "object"):
    port = listeners[name].getsockname()[1]
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "one", "weight": 1.0,
                     "replication_ip": "127.0.0.1", "replication_port": port, "meta": ""})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))

common = f"swift_dir = {folder}\ndevices = {folder}/devices\nmount_check = false\nfallocate_reserve = 0\nlog_address = /dev/null\n"
for name in ("account", "container", "object"):
    use = f"[DEFAULT]\n{common}[pipeline:main]\npipeline = server\n[app:server]\nuse = egg:swift#{name}\n"
    serve(listeners[name], loadapp(write_configuration(name, use)))

proxy = loadapp(write_configuration("proxy", f"""[DEFAULT]
{common}
[pipeline:main]
pipeline = s3api tempauth bulk slo dlo proxy-server
[filter:s3api]
use = egg:swift#s3api
storage_domain = s3.example
location = us-east-1
# Real stores need parts of at least 5 MiB. The tests have smaller videos.
min_segment_size = 1
[filter:tempauth]
use = egg:swift#tempauth
user_kit_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""))
cache = Cache()


def with_cache(environ, start_response):
    environ["swift.cache"] = cache
    return proxy(environ, start_response)


serve(listeners["proxy"], with_cache)
print(listeners["proxy"].getsockname()[1], flush=True)
eventlet.tpool.execute(sys.stdin.read)
