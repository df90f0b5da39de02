/**
 * What never runs behind our prefix, program by program, and why. Only `scripts/generate/program-rules.ts` reads this:
 * making two hundred rules would cost a hook more than its whole decision, so they are looked up as text.
 */
import type { Reason } from "./program-rules.ts";

export interface Rule {
  readonly reason: Reason;
  /** `git rebase`, `docker|podman run`: the program and the words behind it. */
  readonly command: string;
  /** Only when one of these options is there. */
  readonly when?: string;
  /** Not when one of these options is there. */
  readonly unless?: string;
  /** Only with fewer words than this that are no options (sub-commands named above not counted). */
  readonly operandsBelow?: number;
}

function interactive(command: string, more: Omit<Rule, "reason" | "command"> = {}): Rule {
  return { reason: "interactive", command, ...more };
}

function endless(command: string, more: Omit<Rule, "reason" | "command"> = {}): Rule {
  return { reason: "endless", command, ...more };
}

function machine(command: string, more: Omit<Rule, "reason" | "command"> = {}): Rule {
  return { reason: "machine", command, ...more };
}

const ALWAYS_A_PERSON =
  "vi|vim|nvim|view|vimdiff|gvim|nano|pico|micro|helix|hx|kak|ed|joe|mcedit|emacsclient|less|more|most|man|info|" +
  "top|htop|btop|atop|iotop|glances|nvtop|ssh|mosh|sftp|ftp|telnet|screen|tmux|zellij|fzf|sk|peco|dialog|whiptail|tig|" +
  "lazygit|lazydocker|gitui|k9s|ranger|nnn|lf|yazi|mc|ncdu|passwd|su|login|chsh|chfn|visudo|vipw|ipython|bpython|" +
  "ptpython|ghci|jshell|iex|erl|pry|winpty|script|expect|claude|gemini|opencode|aider|minicom|picocom|" +
  "nohup|setsid|daemonize|bitwarden|gopass";

const ALWAYS_ENDLESS =
  "watch|nodemon|bacon|air|watchexec|entr|fswatch|watchman|chokidar|ngrok|cloudflared|redis-server|mongod|mysqld|" +
  "postgres|uvicorn|gunicorn|hypercorn|daphne|http-server|live-server|serve|http.server|webpack-dev-server|" +
  "ts-node-dev|tsx-watch|inotifywait|tcpdump|nc|ncat|socat|yes|browser-sync|json-server|minio|caddy";

export function programRules(): readonly Rule[] {
  return [
    interactive(ALWAYS_A_PERSON),
    endless(ALWAYS_ENDLESS),

    // REPLs: without a script, a module or code of their own
    interactive(
      "python|python2|python3|py|pypy|pypy3|node|ruby|irb|lua|luajit|R|julia|scala|groovysh|ocaml|sbcl|perl",
      {
        operandsBelow: 1,
        unless: "-c -e -m -p --eval --print -V --version -v --help -h",
      },
    ),
    interactive("bun|deno", { operandsBelow: 1, unless: "-e --eval --version --help -h -v -V" }),
    interactive("bun|deno repl"),
    interactive("python|python2|python3|py|pypy3", { when: "-i" }),
    interactive("node|perl", { when: "-i --interactive" }),
    interactive("php", { when: "-a" }),
    interactive("bash|sh|zsh|dash|ksh|fish|pwsh|powershell|cmd|nu|csh|tcsh", {
      operandsBelow: 1,
      unless: "--version --help -h",
    }),
    interactive("gdb|lldb", { unless: "-batch --batch -b" }),
    interactive("dlv|pdb|ipdb|pudb|node-inspect"),
    interactive("node", { when: "inspect --inspect --inspect-brk" }),
    interactive("emacs", { unless: "--batch -batch" }),
    interactive("pytest", { when: "--pdb --trace" }),

    // databases: without a statement or a script
    interactive("psql", { unless: "-c --command -f --file -l --list --version --help" }),
    interactive("mysql|mariadb", { unless: "-e --execute --version --help" }),
    interactive("sqlite3", { operandsBelow: 2, unless: "-cmd -init --version -version" }),
    interactive("duckdb", { operandsBelow: 2, unless: "-c -cmd -init --version -version" }),
    interactive("mongo|mongosh", { unless: "--eval --file -f --version" }),
    interactive("redis-cli|valkey-cli", { operandsBelow: 1, unless: "--version --scan --bigkeys --stat" }),
    endless("redis-cli|valkey-cli monitor|MONITOR|subscribe|SUBSCRIBE|psubscribe|PSUBSCRIBE"),
    endless("redis-cli", { when: "--stat --latency" }),
    interactive("clickhouse-client|cqlsh|sqlcmd|usql|pgcli|mycli|litecli", {
      unless: "-q --query -e --execute -Q -c -i -f",
    }),
    interactive("rails|rake console|c|dbconsole|db"),
    interactive("artisan tinker|db"),

    // git: whatever opens an editor or asks
    interactive("git commit", {
      unless: "-m --message -F --file -C --reuse-message --no-edit --fixup --dry-run --porcelain -h --help",
    }),
    interactive("git rebase", { when: "-i --interactive --continue --edit-todo" }),
    interactive("git merge|revert|cherry-pick", { when: "--continue -e --edit" }),
    interactive("git tag", { when: "-a -s --annotate --sign -e --edit", unless: "-m --message -F --file" }),
    interactive("git add|checkout|restore|reset|stash|commit", { when: "-p --patch -i --interactive -e --edit" }),
    interactive("git stash push|save", { when: "-p --patch" }),
    interactive("git clean", { when: "-i --interactive" }),
    interactive("git notes|branch edit|--edit-description"),
    interactive("git config", { when: "-e --edit" }),
    interactive("git mergetool|difftool|gui|citool|instaweb|credential|send-email"),
    machine(
      "git archive|bundle|cat-file|check-attr|check-ignore|config|describe|diff-files|diff-index|diff-tree|fast-export|" +
        "for-each-ref|format-patch|hash-object|ls-tree|merge-base|mktree|name-rev|pack-objects|rev-list|rev-parse|" +
        "show-ref|symbolic-ref|unpack-file|update-index|var|write-tree",
    ),
    machine("git diff|show|log|format-patch", { when: "--binary --raw --numstat --stdout" }),

    // hosts and clouds: prompts and sign-ins
    interactive("gh auth|codespace|cs|extension"),
    interactive("gh pr create", { unless: "-f --fill --fill-first --fill-verbose -t --title" }),
    interactive("gh issue create", { unless: "-t --title" }),
    interactive("gh repo|gist|release create", { operandsBelow: 1 }),
    interactive("gh repo delete|archive", { unless: "-y --yes" }),
    interactive("gh run rerun|view", { operandsBelow: 1, unless: "--job" }),
    endless("gh run watch"),
    interactive("glab auth|mr|issue login|create"),
    interactive("aws configure|sso|login"),
    endless("aws logs tail", { when: "--follow" }),
    endless("az|gcloud|wrangler|vercel|heroku tail|logs", { when: "-f --follow -t --tail tail" }),
    endless("heroku logs", { when: "-t --tail" }),
    endless("wrangler|netlify|vercel|supabase dev|tail|functions"),
    endless("stripe listen"),
    endless("firebase emulators:start|serve"),
    endless("fly|flyctl logs|proxy|ssh|console"),

    // packages and wizards
    interactive("npm|pnpm|yarn init|create|innit", { unless: "-y --yes" }),
    interactive("npm|pnpm publish|adduser|unpublish"),
    interactive("bun init|create", { unless: "-y --yes" }),
    interactive("npm|pnpm|yarn upgrade-interactive"),
    interactive("cargo generate"),
    interactive("composer init|create-project", { unless: "-n --no-interaction" }),
    interactive("poetry init", { unless: "-n --no-interaction" }),
    interactive("twine upload", { unless: "--non-interactive" }),
    interactive("apt|apt-get|aptitude install|remove|purge|upgrade|full-upgrade|dist-upgrade|autoremove", {
      unless: "-y --yes --assume-yes -s --dry-run --simulate",
    }),
    interactive("dnf|yum|zypper install|remove|update|upgrade|autoremove|in|rm|up", {
      unless: "-y --assumeyes -n --non-interactive --assumeno",
    }),
    interactive("pacman", { unless: "--noconfirm -Q -Ss -Si -Qs -Qi" }),
    interactive("crontab", { when: "-e" }),
    interactive("systemctl edit"),
    interactive("terraform|tofu console"),
    interactive("terraform|tofu apply|destroy|import", { unless: "-auto-approve --auto-approve" }),
    interactive("pulumi up|destroy|refresh", { unless: "-y --yes --skip-preview" }),
    interactive("ansible-playbook|ansible", { when: "-K -k --ask-become-pass --ask-pass --ask-vault-pass --step" }),
    interactive("gpg", { when: "--gen-key --full-gen-key --edit-key --generate-key" }),
    interactive("ssh-keygen|ssh-copy-id|ssh-add"),
    interactive("openssl s_client|req"),
    interactive("npx|bunx", { operandsBelow: 1 }),
    interactive("ng new|generate", { unless: "--defaults --interactive=false --skip-git" }),

    // containers and clusters
    interactive("docker|podman|nerdctl run|exec|create|container", { when: "-t --tty -it -ti" }),
    interactive("docker|podman attach"),
    interactive("docker|podman start", { when: "-i -a --interactive --attach" }),
    interactive("docker|podman system|image|container|volume|network|builder prune", { unless: "-f --force" }),
    endless("docker|podman events"),
    endless("docker|podman stats|top", { unless: "--no-stream" }),
    endless("docker|podman logs", { when: "-f --follow" }),
    endless("docker|podman compose up", { unless: "-d --detach --wait --no-start" }),
    endless("docker|podman compose logs", { when: "-f --follow" }),
    endless("docker|podman compose watch|attach|events|stats"),
    endless("docker-compose|podman-compose up", { unless: "-d --detach" }),
    endless("docker-compose|podman-compose logs", { when: "-f --follow" }),
    interactive("kubectl|oc edit|attach|debug|rsh"),
    interactive("kubectl|oc exec|run", { when: "-t --tty" }),
    endless("kubectl|oc port-forward|proxy"),
    endless("kubectl|oc logs|get|rollout|events|top", { when: "-f --follow -w --watch --watch-only" }),
    endless("kubectl|oc wait|rollout status", { when: "-w --watch" }),
    machine("kubectl config view|get-contexts", { when: "-o --minify --raw" }),
    endless("minikube tunnel|dashboard|mount"),
    endless("skaffold|tilt|garden|devspace dev|up"),

    // servers and watchers of projects
    endless("tail", { when: "-f -F --follow --retry" }),
    endless("journalctl|dmesg", { when: "-f --follow -w -W" }),
    endless("ping|ping6", { unless: "-c" }),
    endless("vmstat|iostat|mpstat|sar|dstat", { operandsBelow: 2 }),
    endless("php", { when: "-S --server" }),
    endless("artisan serve|queue:work|queue:listen|schedule:work|horizon|reverb:start"),
    endless("flask|quart run"),
    endless("fastapi dev|run"),
    endless("streamlit|chainlit run"),
    endless("jupyter notebook|lab|server|console|qtconsole"),
    endless("manage.py runserver|shell|shell_plus|dbshell|runserver_plus|createsuperuser|changepassword"),
    endless("celery worker|beat|events|flower"),
    endless("celery", { when: "worker beat flower" }),
    endless("rails server|s"),
    endless("puma|unicorn|foreman|overmind|hivemind|honcho|guard|thin|rackup"),
    endless("vite", { operandsBelow: 1, unless: "--version --help -h -v" }),
    endless(
      "vite|next|nuxt|nuxi|astro|remix|gatsby|expo|storybook|sb|docusaurus|rsbuild|rspack|vinxi|waku|sanity|eleventy|" +
        "vuepress|vitepress|react-native|ng|nx|vue-cli-service|parcel|webpack|encore|medusa|strapi|payload|directus dev|start|" +
        "serve|server|preview|develop|watch|run-ios|run-android|dev-server",
    ),
    endless("react-scripts start"),
    endless("turbo|lerna|wireit dev|watch|start|serve|preview"),
    endless("turbo run dev|watch|start|serve|preview"),
    endless("cargo|cargo-watch watch"),
    endless("cargo leptos|tauri|dioxus|shuttle watch|serve|dev|run"),
    endless(
      "tauri|wails|electron-forge|dioxus|dx|trunk|zola|hugo|jekyll|mkdocs|bridgetown|middleman|hexo dev|serve|server|s|watch|start",
    ),
    endless("electron"),
    endless("dotnet watch"),
    endless("gradle|gradlew", { when: "-t --continuous bootRun run quarkusDev" }),
    endless("mvn|mvnw", { when: "spring-boot:run quarkus:dev jetty:run tomcat7:run" }),
    endless("sbt|mill", { operandsBelow: 1 }),
    endless("ollama serve|run"),
    endless("make|just|task|mage|rake dev|serve|server|watch|run|start|up|preview"),
    interactive("make menuconfig|nconfig|xconfig|config"),

    // read by programs
    machine("jq|yq|xq|gojq|dasel|gron|base64|base32|openssl|protoc|xmllint|mlr|tee|xargs|parallel"),
    machine("gh", { when: "-q -t" }),
    machine("lsblk|lscpu|findmnt|ip", { when: "-J -j -P" }),
    machine("systemctl show|cat"),
    machine("cargo metadata|locate-project|pkgid"),
    machine("go env|list", { when: "-json -f" }),
  ];
}
