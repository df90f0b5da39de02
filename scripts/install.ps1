# Installs tokenix into a folder of your own on Windows. Asks nothing, needs no administrator, and leaves nothing behind
# when something fails.
#
#   TOKENIX_VERSION       a release such as v0.2.0 (default: the newest)
#   TOKENIX_INSTALL_DIR   where to put it (default: %LOCALAPPDATA%\tokenix\bin)
#   TOKENIX_MIRROR        another place that serves the releases (https, or http on this machine)
#   TOKENIX_MODIFY_PATH   1 adds the folder to the user's PATH
#
# All of it is one block, so that nothing of it stays in the shell that runs it.
& {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'

  # Not 'exit': run by 'irm ... | iex', that would close the shell it was typed into.
  function Stop-Install([string] $What, [string] $Hint) {
    throw "tokenix install: $What$(if ($Hint) { "`n  $Hint" })"
  }

  $repository = 'tokenix/tokenix'
  $folder = if ($env:TOKENIX_INSTALL_DIR) { $env:TOKENIX_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'tokenix\bin' }
  $version = if ($env:TOKENIX_VERSION) { $env:TOKENIX_VERSION } else { 'latest' }
  if ($version -match '[^A-Za-z0-9.+-]') { Stop-Install "TOKENIX_VERSION is '$version'" 'a release is called like v0.2.0' }
  if ($version -match '^[0-9]') { $version = "v$version" }
  $mirror = if ($env:TOKENIX_MIRROR) { $env:TOKENIX_MIRROR.TrimEnd('/') } else { '' }
  if ($mirror -and $mirror -notmatch '^(https://|http://(127\.\d+\.\d+\.\d+|localhost|\[::1\])([:/]|$))') {
    Stop-Install "TOKENIX_MIRROR is '$mirror'" 'it must begin with https:// (http:// only for this machine)'
  }
  if (-not [Environment]::Is64BitOperatingSystem) { Stop-Install 'no release is built for 32-bit Windows' '' }
  # Windows on ARM runs the x64 build.
  $asset = 'tokenix-windows-x64.exe.gz'

  [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12 -bor [Net.ServicePointManager]::SecurityProtocol
  $scratch = Join-Path ([IO.Path]::GetTempPath()) ("tokenix-install-" + [Guid]::NewGuid().ToString('N'))
  New-Item -ItemType Directory -Path $scratch | Out-Null
  $next = $null
  $made = $null
  try {
    if ($mirror) {
      if ($version -eq 'latest') {
        try { $version = (Invoke-RestMethod -UseBasicParsing "$mirror/latest.json").tag_name }
        catch { Stop-Install "$mirror/latest.json could not be fetched" $_.Exception.Message }
      }
      $base = "$mirror/download/$version"
    } elseif ($version -eq 'latest') {
      $base = "https://github.com/$repository/releases/latest/download"
    } else {
      $base = "https://github.com/$repository/releases/download/$version"
    }
    $archive = Join-Path $scratch $asset
    $sums = Join-Path $scratch 'sha256sums.txt'
    try {
      Invoke-WebRequest -UseBasicParsing "$base/sha256sums.txt" -OutFile $sums
      Invoke-WebRequest -UseBasicParsing "$base/$asset" -OutFile $archive
    } catch { Stop-Install "release '$version' could not be fetched" $_.Exception.Message }

    $wanted = Get-Content $sums | ForEach-Object { if ($_ -match '^([0-9a-fA-F]{64}) [ *](\S+)$' -and $Matches[2] -eq $asset) { $Matches[1] } } | Select-Object -First 1
    if (-not $wanted) { Stop-Install "the checksum list does not name $asset" '' }
    $found = (Get-FileHash -Algorithm SHA256 $archive).Hash
    if ($found -ne $wanted) { Stop-Install "$asset has the wrong SHA-256 ($found, wanted $wanted)" 'nothing was installed' }

    if (-not (Test-Path $folder)) { $made = $folder }
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    $target = Join-Path $folder 'tokenix.exe'
    $next = Join-Path $folder ".tokenix-install-$PID.exe"
    $in = [IO.File]::OpenRead($archive)
    try {
      $gzip = New-Object IO.Compression.GZipStream($in, [IO.Compression.CompressionMode]::Decompress)
      $out = [IO.File]::Create($next)
      try { $gzip.CopyTo($out) } finally { $out.Dispose(); $gzip.Dispose() }
    } finally { $in.Dispose() }
    & $next --version | Out-Null
    if ($LASTEXITCODE -ne 0) { Stop-Install 'the program does not start here' 'nothing was installed' }
    if (Test-Path $target) {
      # A running program can't be replaced, but it can be renamed.
      $old = Join-Path $folder '.tokenix-old.exe'
      Remove-Item -Force -ErrorAction SilentlyContinue $old
      Move-Item -Force $target $old
      try { Move-Item -Force $next $target } catch { Move-Item -Force $old $target; throw }
      Remove-Item -Force -ErrorAction SilentlyContinue $old
    } else {
      Move-Item -Force $next $target
    }
    $next = $null
    $made = $null
    Write-Output "installed $(& $target --version) in $folder"

    $userPath = [Environment]::GetEnvironmentVariable('Path', 'User')
    if (-not (($userPath -split ';') -contains $folder)) {
      if ($env:TOKENIX_MODIFY_PATH -eq '1') {
        [Environment]::SetEnvironmentVariable('Path', "$folder;$userPath", 'User')
        Write-Output 'added it to your PATH; open a new shell'
      } else {
        Write-Output "it is not on your PATH; add $folder, or run the installer with TOKENIX_MODIFY_PATH=1"
      }
    }
  } finally {
    if ($next) { Remove-Item -Force -ErrorAction SilentlyContinue $next }
    if ($made -and -not (Get-ChildItem -Force $made -ErrorAction SilentlyContinue)) { Remove-Item -ErrorAction SilentlyContinue $made }
    Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $scratch
  }
}
