# One POST through the browser, the only way out of a web export. There HTTPClient is the browser's own `fetch`.
extends "res://addons/kit_sdk/kit_request.gd"

const UNDER_WAY: Array[HTTPClient.Status] = [
	HTTPClient.STATUS_RESOLVING,
	HTTPClient.STATUS_CONNECTING,
	HTTPClient.STATUS_REQUESTING,
]
const ANSWERED: Array[HTTPClient.Status] = [HTTPClient.STATUS_CONNECTED, HTTPClient.STATUS_BODY]

var _client: HTTPClient = null
var _is_sent: bool = false


func _step() -> bool:
	if _client == null:
		_client = HTTPClient.new()
		if _client.connect_to_host(_address.url_host(), _address.port) != OK:
			end("the address cannot be used")
		return true
	var _polled: Error = _client.poll()
	var status: HTTPClient.Status = _client.get_status()
	if status in UNDER_WAY:
		return false
	if status not in ANSWERED:
		end("nobody listens there, or the connection was closed")
	elif _is_sent:
		end("answered %d" % _client.get_response_code())
	else:
		_is_sent = true
		var headers: PackedStringArray = ["Content-Type: application/json"]
		if _client.request_raw(HTTPClient.METHOD_POST, _address.prefix + path, headers, _payload.bytes) != OK:
			end("the browser refused")
	return true


func _close() -> void:
	if _client != null:
		_client.close()
