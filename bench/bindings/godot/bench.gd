# The benchmark game: makes the calls of a plan frame by frame, and prints their cost. See ../plan.ts.
extends Node

const MARK: String = "@bench "
# Process priority before all other nodes; the binding runs after all others.
const FIRST: int = -(1 << 21)
const LAST: int = 1 << 21

var _url: String = ""
var _blocks: Array[PackedStringArray] = []
var _number: int = -1

var _frames_left: int = 0
var _rests_until_ms: int = 0
var _calls: Array[int] = []
var _frames: Array[int] = []
var _heap_before: int = 0
var _frame_began_usec: int = -1


class End:
	extends Node
	signal reached

	func _process(_delta: float) -> void:
		reached.emit()


func _ready() -> void:
	process_priority = FIRST
	var end: End = End.new()
	end.process_priority = LAST
	end.reached.connect(_end_frame)
	add_child(end)
	for line: String in FileAccess.get_file_as_string(OS.get_environment("KIT_BENCH_PLAN")).split("\n", false):
		var words: PackedStringArray = line.split("\t")
		match words[0]:
			"url":
				_url = words[1]
				KitSDK.launcher_url = _url
			"frame":
				Engine.max_fps = roundi(1000.0 / words[1].to_float())
			_:
				_blocks.append(words)


func _process(_delta: float) -> void:
	_frame_began_usec = -1
	var now_ms: int = Time.get_ticks_msec()
	# Blocks begin and end in separate frames, which are not measured.
	if _frames_left == 0 and _rests_until_ms == 0:
		_begin_next()
		return
	if _frames_left == 0 and now_ms >= _rests_until_ms:
		_end_block()
		return
	_frame_began_usec = Time.get_ticks_usec()
	if _frames_left == 0:
		return
	var block: PackedStringArray = _blocks[_number]
	for each: int in block[3].to_int():
		_make(block[0], block[1])
	_frames_left -= 1
	if _frames_left == 0:
		_rests_until_ms = now_ms + block[4].to_int()


func _end_frame() -> void:
	if _frame_began_usec >= 0:
		_frames.append(Time.get_ticks_usec() - _frame_began_usec)


func _begin_next() -> void:
	_number += 1
	if _number == _blocks.size():
		get_tree().quit()
		return
	_calls.clear()
	_frames.clear()
	_frames_left = _blocks[_number][2].to_int()
	_heap_before = OS.get_static_memory_usage()
	print(MARK, JSON.stringify({"begin": _number}))


func _end_block() -> void:
	_rests_until_ms = 0
	var told: Dictionary = {
		"end": _number,
		"engine": "Godot " + Engine.get_version_info()["string"],
		"callsUs": _calls,
		"framesUs": _frames,
		"heapBytes": [_heap_before, OS.get_static_memory_usage()],
	}
	print(MARK, JSON.stringify(told))


# In a storm only the frames are measured.
func _make(subject: String, mode: String) -> void:
	if mode == "storm":
		_call(subject)
		return
	var before: int = Time.get_ticks_usec()
	_call(subject)
	_calls.append(Time.get_ticks_usec() - before)


func _call(subject: String) -> void:
	match subject:
		"kit":
			KitSDK.recording.trigger_event("bench_kit")
		"bare":
			_post()
		_:
			_nothing("bench_empty")


func _nothing(_event_id: String) -> void:
	pass


# The alternative without a binding: one node per request, freed at its end.
func _post() -> void:
	var request: HTTPRequest = HTTPRequest.new()
	add_child(request)
	request.request_completed.connect(request.queue_free.unbind(4))
	var time: String = Time.get_datetime_string_from_system(true) + ".000Z"
	var body: String = JSON.stringify({"eventId": "bench_bare", "timestamp": time})
	var headers: PackedStringArray = ["Content-Type: application/json"]
	request.request(_url + "/api/recording/trigger", headers, HTTPClient.METHOD_POST, body)
