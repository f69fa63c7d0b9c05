# Not tried: nobody has run Homebrew on it yet; `ruby -c` has checked its syntax.
#
#   brew tap meterfix/meterfix ADDRESS-OF-THIS-REPOSITORY
#   brew install --HEAD meterfix/meterfix/meterfix
#
# Without --HEAD once it has a `url`: Scripts/release-files writes that from a release.
class Meterfix < Formula
  desc "Migrates, repairs and verifies the Core Data store of USB Meter"
  license "MIT"
  # A tap is a clone of this repository: what is built is the commit that the tap is at.
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["16.3", :build]
  depends_on "json-c"
  depends_on :macos

  def install
    # Homebrew builds in a sandbox of its own, and one does not fit into another.
    build = ["swift", "build", "--disable-sandbox", "-c", "release", "--product", "meterfix"]
    system(*build)
    # Where products are differs between SwiftPM's build systems.
    bin.install "#{Utils.safe_popen_read(*build, "--show-bin-path").chomp}/meterfix"
    generate_completions_from_executable(bin/"meterfix", "--generate-completion-script")
  end

  test do
    (testpath/"names.json").write '{"MeterNames":{"A4:C1:38:0B:7E:21":"Kitchen"}}'
    system bin/"meterfix", "import-kv", "--quiet", "--create", "names.json", "CKModel.sqlite"
    assert_match "Kitchen", shell_output("#{bin}/meterfix meters CKModel.sqlite")
    assert_match "clean", shell_output("#{bin}/meterfix verify --ignore not-mirrored CKModel.sqlite")
  end
end
