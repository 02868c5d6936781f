; Kit's setup for Windows, for one user. `setup.ts` compiles it and defines the names in capitals. Exit codes: 0 done, 1 cancelled,
; 2 failed, 3 Windows is too old, 4 another setup runs, 5 a program of Kit runs and did not end, 6 a file could not be replaced or
; removed.
Target amd64-unicode
!include MUI2.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include StrFunc.nsh

Name "Kit"
OutFile "${OUTPUT}"
BrandingText "Kit ${VERSION}"
InstallDir "$LOCALAPPDATA\Programs\Kit"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
; A file that cannot be written ends the setup, also a silent one.
AllowSkipFiles off
; Times of files would make each build different.
SetDateSave off
!ifdef UNCOMPRESSED
  SetCompress off
!else
  SetCompressor /SOLID lzma
!endif
!include version.nsh

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEPAGE_TEXT "$(welcome)"
!define MUI_FINISHPAGE_RUN "$INSTDIR\kit-open.exe"
!define MUI_FINISHPAGE_RUN_TEXT "$(openKit)"
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(dataStays)"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Japanese"
!include texts.nsh
${StrStr}
${UnStrStr}
${StrRep}
${UnStrRep}

!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run"
!define OWN_KEY "Software\Kit"
!define SHORTCUT "$SMPROGRAMS\Kit.lnk"
!define INCOMING "$INSTDIR\incoming"

Var inUse
Var wasRunning
Var before
Var autostart

!macro EachProgram do
  !insertmacro ${do} "node.exe"
  !insertmacro ${do} "kit-open.exe"
  !insertmacro ${do} "ffmpeg.exe"
  !insertmacro ${do} "kit-sound.exe"
!macroend
; Programs come first: while one of them cannot be replaced or removed, the rest is untouched.
!macro Each do
  !insertmacro EachProgram ${do}
  !insertmacro ${do} "launcher"
  !insertmacro ${do} "dashboard"
  !insertmacro ${do} "sdk"
  !insertmacro ${do} "node_modules"
  !insertmacro ${do} "package.json"
  !insertmacro ${do} "kit.cmd"
  !insertmacro ${do} "kit.ico"
  !insertmacro ${do} "LICENSE"
  !insertmacro ${do} "LICENSE.ffmpeg.txt"
  !insertmacro ${do} "licences.txt"
  !insertmacro ${do} "ffmpeg-source"
!macroend

; Removes a file or a folder.
!macro Discard path
  Delete "${path}"
  RMDir /r "${path}"
!macroend

; Windows lets nobody write to a program that runs.
!macro LookAt file
  ${If} ${FileExists} "$INSTDIR\${file}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${file}" a
    ${If} ${Errors}
      StrCpy $inUse 1
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
!macroend
!macro Replace file
  StrCpy $3 "${file}"
  Call ReplaceFile
!macroend
!macro Remove file
  StrCpy $3 "${file}"
  Call un.RemoveFile
!macroend

; Sets $0 to what follows "true" in $1, or to nothing. Installer and uninstaller need a function each.
!macro Contains un
  !if "${un}" == ""
    ${StrStr} $0 $1 "true"
  !else
    ${UnStrStr} $0 $1 "true"
  !endif
!macroend

; Sets $0 to the name of the mutex that a `kit run` of this folder holds while its game runs.
!macro NameOfRun un
  !if "${un}" == ""
    ${StrRep} $0 "KitRun $INSTDIR\node.exe" "\" "/"
  !else
    ${UnStrRep} $0 "KitRun $INSTDIR\node.exe" "\" "/"
  !endif
!macroend

!macro StopFunctions un
; Sets $0 to 1 while Kit watches a game that it started.
Function ${un}LookForGame
  !insertmacro NameOfRun "${un}"
  System::Call 'kernel32::OpenMutexW(i 0x100000, i 0, w r0) p .r1'
  StrCpy $0 0
  ${If} $1 <> 0
    System::Call 'kernel32::CloseHandle(p r1)'
    StrCpy $0 1
  ${EndIf}
FunctionEnd

Function ${un}LookForPrograms
  StrCpy $inUse 0
  !insertmacro EachProgram LookAt
FunctionEnd

Function ${un}StartAgain
  ${If} $wasRunning == 1
    Exec '"$INSTDIR\kit-open.exe" start --no-open --windowless'
  ${EndIf}
FunctionEnd

; If a program of this folder runs, asks the launcher of the usual data folder to stop, wherever that one runs from. Kills nothing: if a
; program goes on running, nothing is changed. While Kit watches a game, the launcher goes on, because its footage would be lost.
Function ${un}StopKit
  StrCpy $wasRunning 0
  Call ${un}LookForPrograms
  ${If} $inUse == 0
    Return
  ${EndIf}
  again:
  Call ${un}LookForGame
  ${If} $0 == 1
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(inUse)" /SD IDCANCEL IDRETRY again
    Call ${un}StartAgain
    SetErrorLevel 5
    Abort "$(inUse)"
  ${EndIf}
  DetailPrint "$(stopping)"
  nsExec::ExecToStack /TIMEOUT=60000 '"$INSTDIR\node.exe" "$INSTDIR\launcher\main.js" stop --json'
  Pop $0
  Pop $1
  !insertmacro Contains "${un}"
  ${If} $0 != ""
    StrCpy $wasRunning 1
  ${EndIf}
  ; Its processes end a moment later.
  StrCpy $2 0
  ${Do}
    Call ${un}LookForPrograms
    ${If} $inUse == 0
      Return
    ${EndIf}
    Sleep 250
    IntOp $2 $2 + 1
  ${LoopUntil} $2 >= 24
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(inUse)" /SD IDCANCEL IDRETRY again
  Call ${un}StartAgain
  SetErrorLevel 5
  Abort "$(inUse)"
FunctionEnd
!macroend
!insertmacro StopFunctions ""
!insertmacro StopFunctions "un."

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "$(oldWindows)" /SD IDOK
    SetErrorLevel 3
    Quit
  ${EndIf}
  System::Call 'kernel32::CreateMutexW(p 0, i 1, w "KitSetup") p .r1 ?e'
  Pop $0
  ${If} $0 == 183
    MessageBox MB_OK|MB_ICONSTOP "$(twice)" /SD IDOK
    SetErrorLevel 4
    Quit
  ${EndIf}
FunctionEnd

Function .onInstFailed
  SetOutPath "$TEMP"
  RMDir /r "${INCOMING}"
  RMDir "$INSTDIR"
FunctionEnd

; Tries for six seconds, because a virus scanner holds a new program for a moment.
Function ReplaceFile
  StrCpy $2 0
  ${Do}
    !insertmacro Discard "$INSTDIR\$3.old"
    Rename "$INSTDIR\$3" "$INSTDIR\$3.old"
    ClearErrors
    Rename "${INCOMING}\$3" "$INSTDIR\$3"
    ${IfNot} ${Errors}
      !insertmacro Discard "$INSTDIR\$3.old"
      Return
    ${EndIf}
    Rename "$INSTDIR\$3.old" "$INSTDIR\$3"
    Sleep 250
    IntOp $2 $2 + 1
  ${LoopUntil} $2 >= 24
  MessageBox MB_OK|MB_ICONSTOP "$(notReplaced)" /SD IDOK
  Call StartAgain
  SetErrorLevel 6
  Abort "$(notReplaced)"
FunctionEnd

; Uninstalls the copy in the previous folder, because Windows lists only one Kit. If that fails, the copy and its uninstaller stay.
Function RemoveElsewhere
  ReadRegStr $autostart HKCU "${RUN_KEY}" "Kit"
  nsExec::Exec /TIMEOUT=60000 '"$before\node.exe" "$before\launcher\main.js" api getHealth'
  Pop $4
  ExecWait '"$before\uninstall.exe" /S _?=$before' $0
  ${If} $0 != 0
    DetailPrint "$(staysElsewhere)"
    Return
  ${EndIf}
  Delete "$before\uninstall.exe"
  RMDir "$before"
  ${If} $4 == 0
    StrCpy $wasRunning 1
  ${EndIf}
  Call KeepAutostart
FunctionEnd

; Writes the autostart entry of the Kit that was removed for this one, in the words in which Kit would write it.
Function KeepAutostart
  ReadRegStr $0 HKCU "${RUN_KEY}" "Kit"
  ${If} $autostart == ""
  ${OrIf} $0 != ""
    Return
  ${EndIf}
  ; A quoted program may have " start " in its path.
  ${StrStr} $0 $autostart '" start '
  ${If} $0 == ""
    ${StrStr} $0 $autostart " start "
  ${Else}
    StrCpy $0 $0 "" 1
  ${EndIf}
  StrCpy $1 "$INSTDIR\kit-open.exe"
  ${StrStr} $2 $1 " "
  ${If} $2 != ""
    StrCpy $1 '"$1"'
  ${EndIf}
  ; Windows runs no longer line.
  StrLen $2 "$1$0"
  ${If} $2 > 260
    Return
  ${EndIf}
  WriteRegStr HKCU "${RUN_KEY}" "Kit" "$1$0"
  WriteRegStr HKCU "${OWN_KEY}" "Autostart" "$1$0"
FunctionEnd

Function WriteEntries
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Kit"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\kit.ico"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ; An upgrade leaves the Start menu as its user wanted it.
  ${If} $before != $INSTDIR
    CreateShortcut "${SHORTCUT}" "$INSTDIR\kit-open.exe" "" "$INSTDIR\kit.ico" 0 SW_SHOWNORMAL "" "Your best moments, and how to share them"
    ; By this, Kit knows the entry as its own.
    WriteRegStr HKCU "${OWN_KEY}" "StartMenu" "setup $INSTDIR\kit-open.exe"
  ${EndIf}
FunctionEnd

Section
  ReadRegStr $before HKCU "${UNINSTALL_KEY}" "InstallLocation"
  RMDir /r "${INCOMING}"
  ; All new files are in place before Kit stops, so that it records again within seconds.
  SetOutPath "${INCOMING}"
  File /r "${FILES}/*"
  SetOutPath "$INSTDIR"
  Call StopKit
  ${If} $before != ""
  ${AndIf} $before != $INSTDIR
    Call RemoveElsewhere
  ${EndIf}
  !insertmacro Each Replace
  WriteUninstaller "$INSTDIR\uninstall.exe"
  RMDir "${INCOMING}"
  Call WriteEntries
  Call StartAgain
SectionEnd

Function un.RemoveFile
  StrCpy $2 0
  ${Do}
    !insertmacro Discard "$INSTDIR\$3"
    ${IfNot} ${FileExists} "$INSTDIR\$3"
      Return
    ${EndIf}
    Sleep 250
    IntOp $2 $2 + 1
  ${LoopUntil} $2 >= 24
  MessageBox MB_OK|MB_ICONSTOP "$(notRemoved)" /SD IDOK
  SetErrorLevel 6
  Abort "$(notRemoved)"
FunctionEnd

; Sets $1 to 1 if the program of the command line $0 is in this folder.
Function un.IsOwn
  StrCpy $1 0
  StrCpy $2 $0 1
  ${If} $2 == '"'
    StrCpy $0 $0 "" 1
  ${EndIf}
  StrLen $2 "$INSTDIR\"
  StrCpy $0 $0 $2
  ${If} $0 == "$INSTDIR\"
    StrCpy $1 1
  ${EndIf}
FunctionEnd

; Removes what starts this Kit, never an entry of another Kit.
Function un.RemoveEntries
  ReadRegStr $0 HKCU "${RUN_KEY}" "Kit"
  Call un.IsOwn
  ${If} $1 == 1
    DeleteRegValue HKCU "${RUN_KEY}" "Kit"
    DeleteRegValue HKCU "${OWN_KEY}" "Autostart"
  ${EndIf}
  ; The value is "setup" or a checksum of 64 characters, a blank, and the command line.
  ReadRegStr $0 HKCU "${OWN_KEY}" "StartMenu"
  StrCpy $1 $0 6
  ${If} $1 == "setup "
    StrCpy $0 $0 "" 6
  ${Else}
    StrCpy $0 $0 "" 65
  ${EndIf}
  Call un.IsOwn
  ${If} $1 == 1
    Delete "${SHORTCUT}"
    DeleteRegValue HKCU "${OWN_KEY}" "StartMenu"
  ${EndIf}
  DeleteRegKey /ifempty HKCU "${OWN_KEY}"
  ; Kit writes its name there with its first notification. Another Kit would write it again.
  DeleteRegKey HKCU "Software\Classes\AppUserModelId\Kit.Launcher"
  ReadRegStr $0 HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $0 == $INSTDIR
    DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ${EndIf}
FunctionEnd

Section Uninstall
  SetOutPath "$TEMP"
  Call un.StopKit
  ; Another Kit only starts slower without it.
  RMDir /r "$LOCALAPPDATA\kit\Cache"
  RMDir "$LOCALAPPDATA\kit"
  !insertmacro Each Remove
  RMDir /r "${INCOMING}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Call un.RemoveEntries
  DetailPrint "$(dataStays)"
SectionEnd
