// The lower bound: nginx with one process that answers 204 to everything.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the configuration into `folder`, which nginx also uses for its files, and returns the command. */
export function nginxCommand(program: string, port: number, folder: string): readonly string[] {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const configuration = [
    "daemon off; master_process off;",
    `pid ${join(folder, "pid")}; error_log stderr;`,
    "events { worker_connections 1024; }",
    "http {",
    "  access_log off; keepalive_requests 1000000000;",
    ...temporary.map((name) => `  ${name}_temp_path ${join(folder, name)};`),
    `  server { listen 127.0.0.1:${port}; location / { return 204; } }`,
    "}",
  ];
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `${configuration.join("\n")}\n`);
  return [program, "-e", "stderr", "-p", folder, "-c", file];
}
