# The settings in use: read from the project settings when the game starts, changed by it at any time.
extends RefCounted

const KitAddress = preload("res://addons/kit_sdk/kit_address.gd")
const KitConstants = preload("res://addons/kit_sdk/kit_constants.gd")

const URL_SETTING: String = "kit_sdk/launcher_url"
const RECORDING_SETTING: String = "kit_sdk/enable_recording"
const MONITOR_SETTING: String = "kit_sdk/enable_monitor"
const SOCIAL_SETTING: String = "kit_sdk/enable_social"
const BUILD_SETTING: String = "kit_sdk/build"
const UNCAUGHT_SETTING: String = "kit_sdk/report_uncaught_errors"
const DEBUG_SETTING: String = "kit_sdk/debug_logging"

const PROJECT_VERSION: String = "application/config/version"
const VERSION_PLACEHOLDER: String = "{version}"

const DEFAULTS: Dictionary = {
	URL_SETTING: KitConstants.DEFAULT_URL,
	RECORDING_SETTING: true,
	MONITOR_SETTING: true,
	SOCIAL_SETTING: true,
	BUILD_SETTING: VERSION_PLACEHOLDER,
	UNCAUGHT_SETTING: false,
	DEBUG_SETTING: false,
}

var launcher_url: String = KitConstants.DEFAULT_URL:
	set(value):
		launcher_url = KitAddress.trimmed(value)
		# Threads send while the game changes the address.
		_mutex.lock()
		_address = KitAddress.parse(launcher_url) as KitAddress
		_mutex.unlock()

var build: String = "":
	set(value):
		var fitting: String = value.strip_edges().left(KitConstants.BUILD_CHARS_MAX)
		# Threads report while the game changes it.
		_mutex.lock()
		build = fitting
		_mutex.unlock()
	get:
		_mutex.lock()
		var current: String = build
		_mutex.unlock()
		return current

var enable_recording: bool = true
var enable_monitor: bool = true
var enable_social: bool = true
var report_uncaught_errors: bool = false
var debug_logging: bool = false

var _address: KitAddress = null
var _mutex: Mutex = Mutex.new()


# Shows the settings in the editor. They are not kept there from one start to the next.
static func declare() -> void:
	for setting: String in DEFAULTS:
		var default: Variant = DEFAULTS[setting]
		if not ProjectSettings.has_setting(setting):
			ProjectSettings.set_setting(setting, default)
		ProjectSettings.set_initial_value(setting, default)
		ProjectSettings.add_property_info({"name": setting, "type": typeof(default)})
		ProjectSettings.set_as_basic(setting, true)


func _init() -> void:
	var url: Variant = _value_of(URL_SETTING)
	launcher_url = str(url) if url is String or url is StringName else KitConstants.DEFAULT_URL
	enable_recording = _is_on(RECORDING_SETTING)
	enable_monitor = _is_on(MONITOR_SETTING)
	enable_social = _is_on(SOCIAL_SETTING)
	report_uncaught_errors = _is_on(UNCAUGHT_SETTING)
	debug_logging = _is_on(DEBUG_SETTING)
	var build_setting: Variant = _value_of(BUILD_SETTING)
	build = str(build_setting).replace(VERSION_PLACEHOLDER, _project_version())


# Where requests go; null when the launcher URL cannot be used. From any thread.
func address() -> KitAddress:
	_mutex.lock()
	var current: KitAddress = _address
	_mutex.unlock()
	return current


# A setting that equals its default is not written to project.godot, though an override for a platform is, and the engine
# looks for those only where there is a value to override.
static func _value_of(setting: String) -> Variant:
	if not ProjectSettings.has_setting(setting):
		ProjectSettings.set_setting(setting, DEFAULTS[setting])
	return ProjectSettings.get_setting_with_override(setting)


static func _project_version() -> String:
	if not ProjectSettings.has_setting(PROJECT_VERSION):
		return ""
	var version: Variant = ProjectSettings.get_setting_with_override(PROJECT_VERSION)
	return "" if version == null else str(version)


# A switch written by hand may be no boolean.
static func _is_on(setting: String) -> bool:
	var value: Variant = _value_of(setting)
	if value is bool:
		return value
	var default: bool = DEFAULTS[setting]
	match str(value).strip_edges().to_lower():
		"true", "1":
			return true
		"false", "0":
			return false
	return default
