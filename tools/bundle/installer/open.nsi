; kit-open.exe: opens the dashboard signed in, without a console window, and starts Kit if none runs. `setup.ts` compiles it.
Target amd64-unicode
Name "Kit"
OutFile "${OUTPUT}"
Icon "${ICON}"
RequestExecutionLevel user
SilentInstall silent
SetCompressor zlib
!include version.nsh

LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\Japanese.nlf"
LangString missing 1033 "Kit cannot be opened, because Windows cannot start $EXEDIR\kit.exe. Install Kit again."
LangString missing 1041 "Windows が $EXEDIR\kit.exe を起動できないため、Kit を開けません。Kit をもう一度インストールしてください。"

Section
  ClearErrors
  ; The console of kit.exe stays hidden, and --windowless starts Kit again without one.
  ExecShell "" "$EXEDIR\kit.exe" "start --from-menu --windowless" SW_HIDE
  IfErrors 0 +3
    MessageBox MB_OK|MB_ICONSTOP "$(missing)" /SD IDOK
    SetErrorLevel 1
SectionEnd
