// Records sound on Windows, and writes it to stdout: 16 bits, 48,000 Hz, two channels. Ends when its stdin ends.
//
//   kit-sound process 1234   what this process and all that it started play (Windows 11)
//   kit-sound output         what the default output plays
//   kit-sound microphone     what the default microphone hears
//   kit-sound devices        no sound: a line for what there is, and another after each change
#define COBJMACROS
#define INITGUID
#include <windows.h>
#include <initguid.h>
#include <audioclient.h>
#include <mmdeviceapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rate = 48000, frame_bytes = 4, poll_ms = 10, look_ms = 1000, activation_ms = 3000 };
static const REFERENCE_TIME buffer_duration = 2000000; // 0.2 s in units of 100 ns

// From audioclientactivationparams.h, which mingw-w64 lacks.
typedef struct {
  DWORD type; // 1: AUDIOCLIENT_ACTIVATION_TYPE_PROCESS_LOOPBACK
  DWORD process;
  DWORD mode; // 0: PROCESS_LOOPBACK_MODE_INCLUDE_TARGET_PROCESS_TREE
} ProcessLoopback;

static void fail(const char *what, HRESULT code) {
  fprintf(stderr, "%s failed with 0x%08lX\n", what, (unsigned long)code);
  ExitProcess(1);
}

static void require(const char *what, HRESULT code) {
  if (FAILED(code)) fail(what, code);
}

// The launcher holds the other end: it closes however the launcher ends.
static DWORD WINAPI end_with_stdin(void *unused) {
  char byte;
  DWORD count;
  (void)unused;
  while (ReadFile(GetStdHandle(STD_INPUT_HANDLE), &byte, 1, &count, NULL) && count > 0) continue;
  ExitProcess(0);
}

static void write_all(const void *bytes, DWORD size) {
  DWORD written;
  while (size > 0) {
    if (!WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), bytes, size, &written, NULL)) ExitProcess(0);
    bytes = (const char *)bytes + written;
    size -= written;
  }
}

static IMMDevice *default_device(IMMDeviceEnumerator *devices, EDataFlow flow) {
  IMMDevice *device = NULL;
  return FAILED(IMMDeviceEnumerator_GetDefaultAudioEndpoint(devices, flow, eConsole, &device)) ? NULL : device;
}

// The id of the default device, or "" without one.
static void default_id(IMMDeviceEnumerator *devices, EDataFlow flow, WCHAR *id, size_t size) {
  IMMDevice *device = default_device(devices, flow);
  LPWSTR text = NULL;
  id[0] = 0;
  if (device == NULL) return;
  if (SUCCEEDED(IMMDevice_GetId(device, &text))) {
    wcsncpy(id, text, size - 1);
    id[size - 1] = 0;
    CoTaskMemFree(text);
  }
  IMMDevice_Release(device);
}

// The object that Windows tells when a client is there. There is one, which is never freed.
static HANDLE is_activated;

static HRESULT STDMETHODCALLTYPE query_interface(IActivateAudioInterfaceCompletionHandler *self, REFIID id, void **found) {
  static const GUID agile = {0x94ea2b94, 0xe9cc, 0x49e0, {0xc0, 0xff, 0xee, 0x64, 0xca, 0x8f, 0x5b, 0x90}};
  *found = NULL;
  if (!IsEqualIID(id, &IID_IUnknown) && !IsEqualIID(id, &agile) &&
      !IsEqualIID(id, &IID_IActivateAudioInterfaceCompletionHandler))
    return E_NOINTERFACE;
  *found = self;
  return S_OK;
}
static ULONG STDMETHODCALLTYPE keep(IActivateAudioInterfaceCompletionHandler *self) {
  (void)self;
  return 2;
}
static HRESULT STDMETHODCALLTYPE completed(IActivateAudioInterfaceCompletionHandler *self,
                                           IActivateAudioInterfaceAsyncOperation *operation) {
  (void)self;
  (void)operation;
  SetEvent(is_activated);
  return S_OK;
}
static IActivateAudioInterfaceCompletionHandlerVtbl methods = {query_interface, keep, keep, completed};
static IActivateAudioInterfaceCompletionHandler handler = {&methods};

typedef HRESULT(WINAPI *Activate)(LPCWSTR, REFIID, PROPVARIANT *, IActivateAudioInterfaceCompletionHandler *,
                                  IActivateAudioInterfaceAsyncOperation **);

static HRESULT activate_process(DWORD process, IAudioClient **client) {
  ProcessLoopback params = {1, process, 0};
  PROPVARIANT given;
  IActivateAudioInterfaceAsyncOperation *operation = NULL;
  IUnknown *found = NULL;
  HRESULT outcome = E_FAIL;
  HMODULE library = LoadLibraryW(L"mmdevapi.dll");
  Activate activate = library == NULL ? NULL : (Activate)(void *)GetProcAddress(library, "ActivateAudioInterfaceAsync");
  if (activate == NULL) return E_NOTIMPL;
  memset(&given, 0, sizeof(given));
  given.vt = VT_BLOB;
  given.blob.cbSize = sizeof(params);
  given.blob.pBlobData = (BYTE *)&params;
  is_activated = CreateEventW(NULL, FALSE, FALSE, NULL);
  HRESULT code = activate(L"VAD\\Process_Loopback", &IID_IAudioClient, &given, &handler, &operation);
  if (FAILED(code)) return code;
  if (WaitForSingleObject(is_activated, activation_ms) != WAIT_OBJECT_0) return HRESULT_FROM_WIN32(WAIT_TIMEOUT);
  code = IActivateAudioInterfaceAsyncOperation_GetActivateResult(operation, &outcome, &found);
  if (FAILED(code) || FAILED(outcome)) return FAILED(code) ? code : outcome;
  return IUnknown_QueryInterface(found, &IID_IAudioClient, (void **)client);
}

static HRESULT initialize(IAudioClient *client, DWORD flags) {
  WAVEFORMATEX format = {WAVE_FORMAT_PCM, 2, rate, rate * frame_bytes, frame_bytes, 16, 0};
  return IAudioClient_Initialize(client, AUDCLNT_SHAREMODE_SHARED, flags, buffer_duration, 0, &format, NULL);
}

static void open_process(DWORD process, IAudioClient **client) {
  require("The sound of a single program", activate_process(process, client));
  require("Its format", initialize(*client, AUDCLNT_STREAMFLAGS_LOOPBACK | AUDCLNT_STREAMFLAGS_EVENTCALLBACK));
}

static void open_default(IMMDeviceEnumerator *devices, EDataFlow flow, IAudioClient **client) {
  IMMDevice *device = default_device(devices, flow);
  DWORD loopback = flow == eRender ? AUDCLNT_STREAMFLAGS_LOOPBACK : 0;
  if (device == NULL) fail("Finding the default device", E_FAIL);
  require("Opening it", IMMDevice_Activate(device, &IID_IAudioClient, CLSCTX_ALL, NULL, (void **)client));
  require("Its format", initialize(*client, loopback | AUDCLNT_STREAMFLAGS_EVENTCALLBACK |
                                              AUDCLNT_STREAMFLAGS_AUTOCONVERTPCM | AUDCLNT_STREAMFLAGS_SRC_DEFAULT_QUALITY));
}

static void write_packets(IAudioCaptureClient *capture) {
  static const BYTE silence[rate / 50 * frame_bytes];
  UINT32 frames;
  for (;;) {
    BYTE *bytes;
    DWORD flags;
    require("Reading", IAudioCaptureClient_GetNextPacketSize(capture, &frames));
    if (frames == 0) return;
    require("Reading", IAudioCaptureClient_GetBuffer(capture, &bytes, &frames, &flags, NULL, NULL));
    DWORD size = frames * frame_bytes;
    if (flags & AUDCLNT_BUFFERFLAGS_SILENT) {
      for (; size > sizeof(silence); size -= sizeof(silence)) write_all(silence, sizeof(silence));
      write_all(silence, size);
    } else {
      write_all(bytes, size);
    }
    require("Reading", IAudioCaptureClient_ReleaseBuffer(capture, frames));
  }
}

// `flow` is that of the default device which is recorded, or eAll. Ends when another device becomes the default.
static void record(IMMDeviceEnumerator *devices, EDataFlow flow, IAudioClient *client) {
  IAudioCaptureClient *capture;
  HANDLE has_sound = CreateEventW(NULL, FALSE, FALSE, NULL);
  WCHAR first[512], now[512];
  ULONGLONG looked = GetTickCount64();
  if (flow != eAll) default_id(devices, flow, first, 512);
  require("Its events", IAudioClient_SetEventHandle(client, has_sound));
  require("Its sound", IAudioClient_GetService(client, &IID_IAudioCaptureClient, (void **)&capture));
  require("Its start", IAudioClient_Start(client));
  for (;;) {
    WaitForSingleObject(has_sound, poll_ms);
    write_packets(capture);
    if (flow == eAll || GetTickCount64() - looked < look_ms) continue;
    looked = GetTickCount64();
    default_id(devices, flow, now, 512);
    if (wcscmp(first, now) != 0) ExitProcess(2);
  }
}

static void follow(IMMDeviceEnumerator *devices) {
  IAudioClient *client = NULL;
  HRESULT code = activate_process(GetCurrentProcessId(), &client);
  char last[100] = "", line[100];
  for (;;) {
    WCHAR output[512], microphone[512];
    default_id(devices, eRender, output, 512);
    default_id(devices, eCapture, microphone, 512);
    snprintf(line, sizeof(line), "output=%d microphone=%d process=0x%08lX\n", output[0] != 0, microphone[0] != 0,
             (unsigned long)code);
    if (strcmp(line, last) != 0) write_all(line, strlen(line));
    strcpy(last, line);
    Sleep(look_ms);
  }
}

int main(int count, char **words) {
  const char *what = count < 2 ? "" : words[1];
  IMMDeviceEnumerator *devices;
  IAudioClient *client = NULL;
  CreateThread(NULL, 0, end_with_stdin, NULL, 0, NULL);
  require("Starting COM", CoInitializeEx(NULL, COINIT_MULTITHREADED));
  require("Asking for devices", CoCreateInstance(&CLSID_MMDeviceEnumerator, NULL, CLSCTX_ALL, &IID_IMMDeviceEnumerator,
                                                 (void **)&devices));
  if (strcmp(what, "devices") == 0) {
    follow(devices);
  } else if (strcmp(what, "process") == 0 && count > 2) {
    open_process(strtoul(words[2], NULL, 10), &client);
    record(devices, eAll, client);
  } else if (strcmp(what, "output") == 0 || strcmp(what, "microphone") == 0) {
    EDataFlow flow = what[0] == 'o' ? eRender : eCapture;
    open_default(devices, flow, &client);
    record(devices, flow, client);
  }
  fprintf(stderr, "kit-sound process PID | output | microphone | devices\n");
  return 64;
}
