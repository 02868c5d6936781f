; kit-open.exe: opens the dashboard signed in, without a console window, and starts Kit if none runs. With words, it runs that command
; of Kit instead. `setup.ts` compiles it.
Target amd64-unicode
Name "Kit"
Caption "Kit"
OutFile "${OUTPUT}"
Icon "${ICON}"
RequestExecutionLevel user
SilentInstall silent
SetCompressor zlib
!include version.nsh
!include FileFunc.nsh

LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\Japanese.nlf"
LangString missing 1033 "Kit cannot be opened, because Windows cannot start $EXEDIR\node.exe. Install Kit again."
LangString missing 1041 "Windows が $EXEDIR\node.exe を起動できないため、Kit を開けません。Kit をもう一度インストールしてください。"

Section
  ${GetParameters} $0
  StrCmp $0 "" 0 +2
    StrCpy $0 "start --from-menu --windowless"
  ClearErrors
  ; The console of node.exe stays hidden, and --windowless starts Kit again without one.
  ExecShell "" "$EXEDIR\node.exe" '${NODE_FLAGS} "$EXEDIR\launcher\main.js" $0' SW_HIDE
  IfErrors 0 +3
    ; Without /SD, it is shown although this program is silent.
    MessageBox MB_OK|MB_ICONSTOP "$(missing)"
    SetErrorLevel 1
SectionEnd
