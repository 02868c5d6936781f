# Reports the script errors that the engine logs: at most some a second, and none of this add-on's own. From any thread.
extends RefCounted

const KitConstants = preload("res://addons/kit_sdk/kit_constants.gd")
const KitSettings = preload("res://addons/kit_sdk/kit_settings.gd")
const MonitorService = preload("res://addons/kit_sdk/monitor_service.gd")

const OWN_FOLDER: String = "res://addons/kit_sdk/"
# Compiled when it is needed: engines before 4.5 have no Logger, and would call a file that names it broken.
const LOGGER: String = """
extends Logger

var heard: Callable


func _log_error(
	function: String, file: String, line: int, code: String, rationale: String, _notify: bool, type: int,
	backtraces: Array[ScriptBacktrace]
) -> void:
	if type != ERROR_TYPE_SCRIPT:
		return
	var stack: String = "at: %s (%s:%d)" % [function, file, line]
	for backtrace: ScriptBacktrace in backtraces:
		if not backtrace.is_empty():
			stack += "\\n" + backtrace.format()
	heard.call(code if rationale.is_empty() else rationale, file, stack)
"""

var _settings: KitSettings
var _monitor: MonitorService
# The engine's logger; null while it is switched off.
var _logger: RefCounted = null
var _has_warned: bool = false
var _mutex: Mutex = Mutex.new()

# Guarded by the mutex.
var _reported_at_ms: PackedInt64Array = []
var _unreported: int = 0


func _init(settings: KitSettings, monitor: MonitorService) -> void:
	_settings = settings
	_monitor = monitor


# Begins to listen, or stops it, as the settings say. Main thread only.
func follow_settings() -> void:
	if not _settings.report_uncaught_errors:
		stop()
	elif _logger == null and can_listen(ClassDB.class_exists("Logger")):
		_listen()


func stop() -> void:
	if _logger != null:
		OS.call("remove_logger", _logger)
	_logger = null


# Says once, whether or not debug logging is on, that the engine is too old.
func can_listen(has_logger: bool) -> bool:
	if not has_logger and not _has_warned:
		_has_warned = true
		push_warning("Kit: report_uncaught_errors needs Godot 4.5 or newer; no error is reported by itself.")
	return has_logger


func _listen() -> void:
	var script: GDScript = GDScript.new()
	script.source_code = LOGGER
	if script.reload() != OK:
		return
	_logger = script.new()
	_logger.set("heard", _hear)
	OS.call("add_logger", _logger)


func _hear(message: String, file: String, stack: String) -> void:
	if file.begins_with(OWN_FOLDER) or not _settings.enable_monitor:
		return
	_mutex.lock()
	_unreported += 1
	if not _is_one_too_many():
		if _unreported > 1:
			stack += "\nUncaught errors not reported before this one: %d" % (_unreported - 1)
		if _monitor._report(message, stack):
			_unreported = 0
		# The second begins once it is reported, however busy the computer was meanwhile.
		@warning_ignore("return_value_discarded")
		_reported_at_ms.append(Time.get_ticks_msec())
		_reported_at_ms = _reported_at_ms.slice(-KitConstants.UNCAUGHT_PER_SECOND_MAX)
	_mutex.unlock()


func _is_one_too_many() -> bool:
	var is_full: bool = _reported_at_ms.size() == KitConstants.UNCAUGHT_PER_SECOND_MAX
	return is_full and Time.get_ticks_msec() - _reported_at_ms[0] < 1000
