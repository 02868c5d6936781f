# Writes a payload as JSON, piece by piece, so that a long text holds up no frame.
#
# Not `JSON.stringify`: it leaves control characters as they are, and no JSON may hold those.
extends RefCounted

const FIRST_PRINTABLE: int = 0x20
const PIECE_CHARACTERS: int = 4096

# What has been written, in UTF-8.
var bytes: PackedByteArray = []

var _members: Dictionary
var _names: Array[String] = []
var _timestamp: String
# Characters of the first member in `_names`.
var _written: int = 0

static var _controls: Array[String] = _signs_below(FIRST_PRINTABLE)


# `members` are text; they are followed by the time of this call.
func _init(members: Dictionary) -> void:
	_members = members
	_names.assign(members.keys())
	_timestamp = timestamp()


# Writes the next piece. False when there is none.
func write_piece() -> bool:
	if _names.is_empty():
		return false
	var text: String = _members[_names[0]]
	var piece: String = escaped(text.substr(_written, PIECE_CHARACTERS))
	if _written == 0:
		piece = "%s\"%s\":\"%s" % ["{" if bytes.is_empty() else ",", _names[0], piece]
	_written += PIECE_CHARACTERS
	if _written >= text.length():
		piece += "\""
		_written = 0
		_names.remove_at(0)
	if _names.is_empty():
		piece += ",\"timestamp\":\"%s\"}" % _timestamp
		_members = {}
	bytes.append_array(piece.to_utf8_buffer())
	return true


# `text` as it stands in a JSON string. A Godot string holds neither NUL nor half a surrogate pair: the engine replaces
# them before anybody sees them.
static func escaped(text: String) -> String:
	var result: String = text.replace("\\", "\\\\").replace("\"", "\\\"")
	for control: String in _controls:
		if result.contains(control):
			result = result.replace(control, "\\u%04x" % control.unicode_at(0))
	return result


# Now, in UTC, as YYYY-MM-DDTHH:MM:SS.sssZ.
static func timestamp() -> String:
	var now: float = Time.get_unix_time_from_system()
	var seconds: int = floori(now)
	var milliseconds: int = floori((now - seconds) * 1000.0)
	return "%s.%03dZ" % [Time.get_datetime_string_from_unix_time(seconds), milliseconds]


static func _signs_below(code: int) -> Array[String]:
	var signs: Array[String] = []
	for each: int in range(1, code):
		signs.append(String.chr(each))
	return signs
