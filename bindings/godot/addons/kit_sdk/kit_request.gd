# One POST under way: what its two ways of sending have in common. Used by the game's main thread only.
extends RefCounted

const KitAddress = preload("res://addons/kit_sdk/kit_address.gd")
const KitConstants = preload("res://addons/kit_sdk/kit_constants.gd")
const KitPayload = preload("res://addons/kit_sdk/kit_payload.gd")

var path: String
# What became of it, in words; empty while it is under way.
var outcome: String = ""

var _address: KitAddress
var _payload: KitPayload
var _deadline_ms: int = 0


func _init(address: KitAddress, path_given: String, payload: KitPayload) -> void:
	_address = address
	path = path_given
	_payload = payload


# Goes on as far as possible without waiting, or until it is `end_usec`, but one step at least. True when it has ended.
func advance(end_usec: int) -> bool:
	if _deadline_ms == 0:
		_deadline_ms = Time.get_ticks_msec() + KitConstants.TIMEOUT_MS
	while outcome.is_empty() and (_payload.write_piece() or _step()):
		if Time.get_ticks_usec() >= end_usec:
			break
	# After the last step: a game that was held up for longer than this still takes what came meanwhile.
	if outcome.is_empty() and Time.get_ticks_msec() >= _deadline_ms:
		end("no answer within %d ms" % KitConstants.TIMEOUT_MS)
	return not outcome.is_empty()


func end(what_became: String) -> void:
	outcome = what_became
	_close()


# One step further; false when that has to wait.
func _step() -> bool:
	return false


func _close() -> void:
	pass
