# The game of the conformance driver: plays the cases of a plan and prints, a line each, what happened.
extends Node

const KitSDKScript: GDScript = preload("res://addons/kit_sdk/kit_sdk.gd")

# Marks this game's own lines, on both outputs, among whatever the engine prints.
const MARK: String = "@kit "
const LINGER_MS: int = 1000

# What the steps call: the autoload, or for a case that shares the process, a binding made for that case alone.
var _kit: Node
var _calls: PackedStringArray = []
var _failures: PackedStringArray = []
var _reads: Array[Dictionary] = []
var _has_quit: bool = false


func _ready() -> void:
	var plan: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("KIT_PLAN")))
	print(MARK, JSON.stringify({"engine": "Godot " + Engine.get_version_info()["string"]}))
	for case: Dictionary in plan["cases"]:
		await _play(case, plan["alone"])
	# A case that quits is the last one; its process does nothing more.
	if not _has_quit:
		await _wait(LINGER_MS)
		get_tree().quit()


func _play(case: Dictionary, is_alone: bool) -> void:
	await get_tree().process_frame
	_calls.clear()
	_failures.clear()
	_reads.clear()
	_kit = KitSDK
	if not is_alone:
		_kit = KitSDKScript.new()
		get_tree().root.add_child(_kit)
		if case["start"] == "config":
			_configure(case["config"])
	var first_frame: int = Engine.get_process_frames()
	for step: Dictionary in case["steps"]:
		await _do(step, case, first_frame)
	if not _has_quit:
		get_tree().paused = false
		_tell(case, first_frame, "")


func _do(step: Dictionary, case: Dictionary, first_frame: int) -> void:
	match step["do"]:
		"fail":
			_fail_often(step, 0, 1)
		"repeat" when step["step"]["do"] == "fail":
			_fail_often(step["step"], 1, int(step["times"]))
		"repeat":
			_repeat(step["step"], int(step["times"]))
		"threads":
			_from_threads(step["step"], int(step["count"]))
		"initialize":
			_configure(step.get("config", {}))
		"read":
			_read()
		"frames":
			for each: int in int(step["count"]):
				await get_tree().process_frame
		"wait":
			await _wait(step["ms"])
		"block":
			OS.delay_msec(int(step["ms"]))
		"pause":
			get_tree().paused = true
		"quit":
			_has_quit = true
			get_tree().quit()
			_tell(case, first_frame, ",\"quitAtMs\":%.3f" % _now_ms())
		_:
			_timed(_call.bind(step, 0))


func _call(step: Dictionary, number: int) -> void:
	match step["do"]:
		"recording":
			_kit.recording.trigger_event(_text(step["eventId"], number))
		"social":
			_kit.social.trigger_event(_text(step["eventId"], number))
		"monitor":
			if step.has("stackTrace"):
				_kit.monitor.report_error(_text(step["message"], number), _text(step["stackTrace"], number))
			else:
				_kit.monitor.report_error(_text(step["message"], number))
		_:
			push_error("unknown step " + str(step))


# `number` is 0 for a step that is done once.
func _text(template: String, number: int) -> String:
	return template if number == 0 else template.replace("{n}", str(number))


func _repeat(step: Dictionary, times: int) -> void:
	for number: int in range(1, times + 1):
		if number == 1 or number == times:
			_timed(_call.bind(step, number))
		else:
			_call(step, number)


func _fail_often(step: Dictionary, first: int, times: int) -> void:
	var before_ms: float = _now_ms()
	for number: int in range(first, first + times):
		_fail(_text(step["message"], number))
	_failures.append("[%.3f,%.3f]" % [before_ms, _now_ms()])


# The engine ends the function at this, and goes on with its caller.
func _fail(function: String) -> void:
	RefCounted.new().call(function)


func _from_threads(step: Dictionary, count: int) -> void:
	_timed(
		func() -> void:
			var threads: Array[Thread] = []
			for number: int in range(1, count + 1):
				var thread: Thread = Thread.new()
				thread.start(_call.bind(step, number))
				threads.append(thread)
			for thread: Thread in threads:
				thread.wait_to_finish()
	)


# The binding starts by itself; what comes nearest to starting it with a configuration is setting its properties.
func _configure(config: Dictionary) -> void:
	_kit.launcher_url = config.get("launcherUrl", "http://127.0.0.1:9876")
	_kit.enable_recording = config.get("enableRecording", true)
	_kit.enable_monitor = config.get("enableMonitor", true)
	_kit.enable_social = config.get("enableSocial", true)
	_kit.report_uncaught_errors = config.get("reportUncaughtErrors", false)
	if config.has("build"):
		_kit.build = config["build"]


func _read() -> void:
	_reads.append({
		"initialized": _kit.recording != null and _kit.monitor != null and _kit.social != null,
		"config": {
			"launcherUrl": _kit.launcher_url,
			"enableRecording": _kit.enable_recording,
			"enableMonitor": _kit.enable_monitor,
			"enableSocial": _kit.enable_social,
			"build": _kit.build,
			"reportUncaughtErrors": _kit.report_uncaught_errors,
		},
	})


func _timed(action: Callable) -> void:
	var before_ms: float = _now_ms()
	action.call()
	_calls.append("[%.3f,%.3f]" % [before_ms, _now_ms()])


func _wait(ms: float) -> void:
	var end_ms: float = Time.get_ticks_msec() + ms
	while Time.get_ticks_msec() < end_ms:
		await get_tree().process_frame


func _now_ms() -> float:
	return Time.get_unix_time_from_system() * 1000.0


# `JSON.stringify` would shorten the times.
func _tell(case: Dictionary, first_frame: int, more: String) -> void:
	var parts: Array = [
		JSON.stringify(case["id"]),
		",".join(_calls),
		",".join(_failures),
		JSON.stringify(_reads),
		Engine.get_process_frames() - first_frame,
		more,
	]
	# First there: when the line is read, every error of the case has been.
	printerr(MARK, case["id"])
	print(MARK, "{\"case\":%s,\"calls\":[%s],\"failures\":[%s],\"reads\":%s,\"frames\":%d%s}" % parts)
