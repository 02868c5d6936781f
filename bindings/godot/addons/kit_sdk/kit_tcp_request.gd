# One POST over a TCP connection of its own. Never blocks: neither looking up, connecting, writing nor reading.
#
# Neither HTTPRequest nor HTTPClient: both print errors for addresses they dislike ("::1" among them) and read an answer
# until its head is complete, in one call. Whoever answers without end and is no HTTP would hold the frame for good.
extends "res://addons/kit_sdk/kit_request.gd"

const KitReach = preload("res://addons/kit_sdk/kit_reach.gd")

enum Stage { NEW, LOOKING_UP, CONNECTING, SENDING, WAITING }

# A frame takes no more than this of a long stack trace.
const CHUNK_BYTES: int = 65536
# Enough for the launcher's whole answer; of a longer one nobody reads the rest.
const ANSWER_BYTES: int = 2048

var _stage: Stage = Stage.NEW
var _lookup: int = IP.RESOLVER_INVALID_ID
var _hosts: PackedStringArray = []
var _stream: StreamPeerTCP = null
var _bytes: PackedByteArray = []
var _bytes_sent: int = 0


func _step() -> bool:
	match _stage:
		Stage.NEW:
			_look_up()
		Stage.LOOKING_UP:
			return _ask_lookup()
		Stage.CONNECTING:
			return _ask_connection()
		Stage.SENDING:
			return _send_chunk()
		Stage.WAITING:
			_read_answer()
			return false
	return true


func _look_up() -> void:
	# This machine by its name needs nobody to be asked, and a name server that is down would hold up the engine's end.
	if _address.host.to_lower() == "localhost":
		_connect_to_next(["127.0.0.1", "::1"])
		return
	if _address.host.is_valid_ip_address():
		_connect_to_next([_address.host])
		return
	_stage = Stage.LOOKING_UP
	_lookup = IP.resolve_hostname_queue_item(_address.host)
	if _lookup == IP.RESOLVER_INVALID_ID:
		end("too many host names are being looked up")


func _ask_lookup() -> bool:
	match IP.get_resolve_item_status(_lookup):
		IP.RESOLVER_STATUS_WAITING:
			return false
		IP.RESOLVER_STATUS_DONE:
			var found: Array = IP.get_resolve_item_addresses(_lookup)
			_forget_lookup()
			_connect_to_next(PackedStringArray(found))
		_:
			end("no such host")
	return true


# A name may stand for several addresses; the launcher listens on one of them.
func _connect_to_next(hosts: PackedStringArray) -> void:
	if hosts.is_empty():
		end("nobody listens there")
		return
	_hosts = hosts.slice(1)
	_stream = StreamPeerTCP.new()
	_stage = Stage.CONNECTING
	if not KitReach.is_likely(hosts[0]) or _stream.connect_to_host(hosts[0], _address.port) != OK:
		_connect_to_next(_hosts)


func _ask_connection() -> bool:
	var _polled: Error = _stream.poll()
	match _stream.get_status():
		StreamPeerTCP.STATUS_CONNECTING:
			return false
		StreamPeerTCP.STATUS_CONNECTED:
			_stream.set_no_delay(true)
			_bytes = _message()
			_stage = Stage.SENDING
		_:
			_connect_to_next(_hosts)
	return true


func _message() -> PackedByteArray:
	var head: PackedStringArray = [
		"POST %s%s HTTP/1.1" % [_address.prefix, path],
		"Host: " + _address.host_header(),
		"Content-Type: application/json",
		"Content-Length: %d" % _payload.bytes.size(),
		"User-Agent: KitSDK Godot/" + str(Engine.get_version_info()["string"]),
		"Connection: close",
		"\r\n",
	]
	var message: PackedByteArray = "\r\n".join(head).to_utf8_buffer()
	message.append_array(_payload.bytes)
	return message


func _send_chunk() -> bool:
	var chunk: PackedByteArray = _bytes.slice(_bytes_sent, _bytes_sent + CHUNK_BYTES)
	var result: Array = _stream.put_partial_data(chunk)
	if result[0] != OK:
		end("the connection was closed")
		return false
	var taken: int = result[1]
	_bytes_sent += taken
	if _bytes_sent == _bytes.size():
		_let_go()
		_stage = Stage.WAITING
		return true
	_read_answer()
	return false


# The answer's first bytes end the request: what they say matters to nobody but a person who reads the log.
func _read_answer() -> void:
	var result: Array = _stream.get_partial_data(ANSWER_BYTES)
	var answer: PackedByteArray = result[1]
	if not answer.is_empty():
		end("answered" + _status_of(answer))
	elif result[0] != OK:
		end("the connection was closed without an answer")


func _status_of(answer: PackedByteArray) -> String:
	var is_http: bool = answer.slice(0, 7) == "HTTP/1.".to_ascii_buffer().slice(0, answer.size())
	# Only digits become a string: the engine prints an error for bytes that are no text.
	for each: int in range(9, mini(12, answer.size())):
		is_http = is_http and answer[each] >= 0x30 and answer[each] <= 0x39
	if not is_http:
		return " with something that is not HTTP"
	# The status of a head that comes in shreds is not waited for.
	return " " + answer.slice(9, 12).get_string_from_ascii() if answer.size() >= 12 else ""


func _forget_lookup() -> void:
	if _lookup != IP.RESOLVER_INVALID_ID:
		IP.erase_resolve_item(_lookup)
	_lookup = IP.RESOLVER_INVALID_ID


func _close() -> void:
	# What waits in the engine's queue would be looked up even by a game that is quitting.
	_forget_lookup()
	if _stream != null:
		_stream.disconnect_from_host()
	_let_go()


# A request that only waits keeps no memory.
func _let_go() -> void:
	_bytes = []
	_payload.bytes = []
