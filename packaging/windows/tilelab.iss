; The installer for Windows, by Inno Setup 6: ISCC /DVersion=1.0.0 packaging\windows\tilelab.iss
; It has not been tried yet. It takes the folder that `py packaging\bootstrap.py package frozen` makes.

#ifndef Version
  #error Say which version: /DVersion=1.0.0
#endif

[Setup]
AppId={{6B0E7B0B-6E0C-4B57-9B4F-7B1C2C7D5A11}
AppName=TileLab
AppVersion={#Version}
AppPublisher=The TileLab developers
LicenseFile=..\..\LICENSE
DefaultDirName={autopf}\TileLab
DefaultGroupName=TileLab
; For this user alone, without an administrator's password, unless they choose otherwise.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
ChangesEnvironment=yes
Compression=lzma2
SolidCompression=yes
OutputDir=..\..\dist
OutputBaseFilename=tilelab-{#Version}-windows-x64
SetupIconFile=..\..\build\package\icons\tilelab.ico
UninstallDisplayIcon={app}\TileLab-window.exe

[Tasks]
Name: path; Description: "Make `tilelab` known in the terminal"; Flags: unchecked

[Files]
Source: "..\..\build\package\frozen\tilelab\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion
Source: "..\..\build\package\icons\run-file.ico"; DestDir: "{app}"

[Icons]
Name: "{group}\TileLab"; Filename: "{app}\TileLab-window.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.tilelab"; ValueType: string; ValueData: "TileLab.Run"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\TileLab.Run"; ValueType: string; ValueData: "TileLab run"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\TileLab.Run\DefaultIcon"; ValueType: string; ValueData: "{app}\run-file.ico"
Root: HKA; Subkey: "Software\Classes\TileLab.Run\shell\open\command"; ValueType: string; ValueData: """{app}\TileLab-window.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.tilelesson"; ValueType: string; ValueData: "TileLab.Lesson"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\TileLab.Lesson"; ValueType: string; ValueData: "TileLab lesson"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\TileLab.Lesson\DefaultIcon"; ValueType: string; ValueData: "{app}\run-file.ico"
Root: HKA; Subkey: "Software\Classes\TileLab.Lesson\shell\open\command"; ValueType: string; ValueData: """{app}\TileLab-window.exe"" ""%1"""
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: NotInPath

[Code]
function NotInPath: Boolean;
var
  Known: String;
begin
  Result := not RegQueryStringValue(HKCU, 'Environment', 'Path', Known)
    or (Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Known) + ';') = 0);
end;
