# What the three services have in common.
extends RefCounted

const KitConstants = preload("kit_constants.gd")
const KitLog = preload("kit_log.gd")
const KitSettings = preload("kit_settings.gd")
const KitTransport = preload("kit_transport.gd")

var _settings: KitSettings
var _log: KitLog
var _transport: KitTransport


func _init(settings: KitSettings, kit_log: KitLog, transport: KitTransport) -> void:
	_settings = settings
	_log = kit_log
	_transport = transport
