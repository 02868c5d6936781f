# Whether an address is worth a try: the engine prints an error for one that this machine has no way to.
extends RefCounted

const LOOPBACK_V6: String = "0:0:0:0:0:0:0:1"
# Beyond these are the addresses of groups, to which nobody can be connected.
const FIRST_GROUP_V4: int = 224


# Some systems take milliseconds to tell their addresses, so they are not asked for each request.
const KNOWN_FOR_MS: int = 10000

static var _own: PackedStringArray = []
static var _known_until_ms: int = 0


# For an IP address of this machine or another. Main thread only.
static func is_likely(host: String) -> bool:
	return is_own_v4(host) or is_on_network(host, _own_addresses())


static func is_own_v4(host: String) -> bool:
	return host.begins_with("127.") or host == "0.0.0.0"


# `own` are the addresses of this machine as `IP.get_local_addresses` tells them.
static func is_on_network(host: String, own: PackedStringArray) -> bool:
	if not host.contains(":"):
		return host.get_slice(".", 0).to_int() < FIRST_GROUP_V4 and _has_network_v4(own)
	if host in ["::1", LOOPBACK_V6]:
		return own.has(LOOPBACK_V6)
	return _has_network_v6(own)


static func _has_network_v4(own: PackedStringArray) -> bool:
	for address: String in own:
		if not address.contains(":") and not address.begins_with("127."):
			return true
	return false


static func _has_network_v6(own: PackedStringArray) -> bool:
	for address: String in own:
		if address.contains(":") and address != LOOPBACK_V6:
			return true
	return false


static func _own_addresses() -> PackedStringArray:
	var now_ms: int = Time.get_ticks_msec()
	if now_ms >= _known_until_ms:
		_own = IP.get_local_addresses()
		_known_until_ms = now_ms + KNOWN_FOR_MS
	return _own
