## Errors and diagnostics. Reached as [code]KitSDK.monitor[/code].
extends "res://addons/kit_sdk/kit_operation.gd"


## Reports that something went wrong. Returns at once and never fails, whether or not a launcher runs; the time it tells
## is that of this call.[br][br]
## [param message] says what went wrong; the launcher keeps 8,192 characters of it. When it is empty nothing is sent.[br]
## [param stack_trace] says where, for example [code]str(get_stack())[/code], which a release export does not have; the
## launcher keeps 131,072 characters.[br][br]
## May be called from any thread, and while the game is paused.
func report_error(message: String, stack_trace: String = "") -> void:
	if message.is_empty():
		_log.warn("monitor.report_error: the message is empty; nothing was sent")
	else:
		@warning_ignore("return_value_discarded")
		_report(message, stack_trace)


# False if nothing is sent.
func _report(message: String, stack_trace: String) -> bool:
	if not _settings.enable_monitor:
		return false
	var members: Dictionary = {"message": message, "stackTrace": stack_trace}
	var build: String = _settings.build
	if not build.is_empty():
		members["build"] = build
	return _transport.post(KitConstants.MONITOR_PATH, members)
