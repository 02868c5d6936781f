# What the three services have in common.
extends RefCounted

const KitConstants = preload("res://addons/kit_sdk/kit_constants.gd")
const KitLog = preload("res://addons/kit_sdk/kit_log.gd")
const KitSettings = preload("res://addons/kit_sdk/kit_settings.gd")
const KitTransport = preload("res://addons/kit_sdk/kit_transport.gd")

var _settings: KitSettings
var _log: KitLog
var _transport: KitTransport


func _init(settings: KitSettings, kit_log: KitLog, transport: KitTransport) -> void:
	_settings = settings
	_log = kit_log
	_transport = transport
