#!/bin/sh
# The disk image for macOS, from the TileLab.app that `package frozen` makes. It has not been tried yet.
# With an identity in TILELAB_SIGN_AS the program is signed, which Gatekeeper requires; with a profile
# of notarytool in TILELAB_NOTARIZE_AS it is notarized, too.
set -eu
cd "$(dirname "$0")/../.."
version=$(python3 -c "import runpy; print(runpy.run_path('tilelab/core/version.py')['VERSION'])")
app=build/package/frozen/TileLab.app
image=dist/tilelab-$version-macos-$(uname -m).dmg
if [ ! -d "$app" ]; then
    echo "$app is missing: python3 packaging/bootstrap.py package frozen makes it." >&2
    exit 1
fi
if [ -n "${TILELAB_SIGN_AS:-}" ]; then
    codesign --force --deep --options runtime --timestamp --sign "$TILELAB_SIGN_AS" "$app"
    codesign --verify --deep --strict "$app"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$app" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -volname "TileLab $version" -srcfolder "$folder" -format UDZO "$image"
if [ -n "${TILELAB_NOTARIZE_AS:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$TILELAB_NOTARIZE_AS" --wait
    xcrun stapler staple "$image"
fi
echo "$image"
