## The game's side of Kit: tells a launcher on this machine about moments, errors and news of the game.
##
## Registered as the autoload [code]KitSDK[/code] when the plugin is enabled. Each operation sends one small HTTP POST and
## returns at once. When no launcher runs, nothing happens: no error, no message, no wait.
## [codeblock]
## KitSDK.recording.trigger_event("mygame_boss_defeated")
## KitSDK.monitor.report_error("The save file is damaged")
## KitSDK.social.trigger_event("mygame_all_stars")
## [/codeblock]
## The properties start with the values of the project settings under [code]kit_sdk/[/code]. Changed while the game runs,
## they hold from the next call on.
extends Node

const KitLog = preload("res://addons/kit_sdk/kit_log.gd")
const KitSettings = preload("res://addons/kit_sdk/kit_settings.gd")
const KitTransport = preload("res://addons/kit_sdk/kit_transport.gd")
const KitUncaught = preload("res://addons/kit_sdk/kit_uncaught.gd")
const MonitorService = preload("res://addons/kit_sdk/monitor_service.gd")
const RecordingService = preload("res://addons/kit_sdk/recording_service.gd")
const SocialService = preload("res://addons/kit_sdk/social_service.gd")

# Behind every other node, so that an event of this frame leaves in this frame.
const LAST: int = 1 << 20

## Where the launcher listens: [code]http://host[:port][/path][/code]. Blanks around it and slashes at its end are
## removed. While it cannot be used, all three services do nothing, silently.
var launcher_url: String:
	get:
		return _settings.launcher_url
	set(value):
		_settings.launcher_url = value

## Whether recording triggers are sent.
var enable_recording: bool:
	get:
		return _settings.enable_recording
	set(value):
		_settings.enable_recording = value

## Whether error reports are sent.
var enable_monitor: bool:
	get:
		return _settings.enable_monitor
	set(value):
		_settings.enable_monitor = value

## Whether social triggers are sent.
var enable_social: bool:
	get:
		return _settings.enable_social
	set(value):
		_settings.enable_social = value

## The build in error reports: the version of the game, from [code]application/config/version[/code] at first. The launcher
## says in which builds an error was seen. When empty, reports name none; 100 characters of it are sent.
var build: String:
	get:
		return _settings.build
	set(value):
		_settings.build = value

## Whether script errors are reported, each with its stack, as far as the engine tells of them: at most 10 in any second, and
## only while [member enable_monitor] is on. Needs Godot 4.5; older ones say so once and report none. Off by default.
var report_uncaught_errors: bool:
	get:
		return _settings.report_uncaught_errors
	set(value):
		_settings.report_uncaught_errors = value
		_uncaught.follow_settings()

## Whether the binding says in the console what it sends, what became of it, and what it does not send.
var debug_logging: bool:
	get:
		return _settings.debug_logging
	set(value):
		_settings.debug_logging = value

## Moments worth a clip.
var recording: RecordingService

## Errors and diagnostics.
var monitor: MonitorService

## Moments worth telling.
var social: SocialService

var _settings: KitSettings = KitSettings.new()
var _transport: KitTransport
var _uncaught: KitUncaught


# Not in _ready: other autoloads may call before that.
func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = LAST
	var kit_log: KitLog = KitLog.new(_settings)
	_transport = KitTransport.new(_settings, kit_log)
	recording = RecordingService.new(_settings, kit_log, _transport)
	monitor = MonitorService.new(_settings, kit_log, _transport)
	social = SocialService.new(_settings, kit_log, _transport)
	_uncaught = KitUncaught.new(_settings, monitor)
	_uncaught.follow_settings()


func _process(_delta: float) -> void:
	_transport.run()


func _notification(what: int) -> void:
	# The first while the game is still whole; the second for events of autoloads that leave the tree after this one.
	if what == NOTIFICATION_PREDELETE:
		_uncaught.stop()
	if what == NOTIFICATION_EXIT_TREE or what == NOTIFICATION_PREDELETE:
		_transport.drain()
