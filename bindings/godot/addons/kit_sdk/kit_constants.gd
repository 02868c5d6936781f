# What every binding and the launcher agree on.
extends RefCounted

const DEFAULT_URL: String = "http://127.0.0.1:9876"
const RECORDING_PATH: String = "/api/recording/trigger"
const MONITOR_PATH: String = "/api/monitor/report"
const SOCIAL_PATH: String = "/api/social/trigger"
const TIMEOUT_MS: int = 5000
const PENDING_MAX: int = 64
const QUIT_FLUSH_MS: int = 250
const BUILD_CHARS_MAX: int = 100
const UNCAUGHT_PER_SECOND_MAX: int = 10
