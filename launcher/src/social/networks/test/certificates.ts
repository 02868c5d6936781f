// Creates a certificate authority and certificates for tests, so that the repository contains no keys.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "../../../../../tools/engines/locate.ts";

export type Certificate = { readonly key: string; readonly cert: string };

export type Certificates = {
  /** The certificate of the authority, as PEM. */
  readonly ca: string;
  readonly good: Certificate;
  readonly expired: Certificate;
  /** Valid from 2090 on. */
  readonly notYetValid: Certificate;
  readonly otherName: Certificate;
  readonly selfSigned: Certificate;
};

/** Only this command of OpenSSL 3.0 takes the day on which a certificate begins. */
const authorityConfig = `
[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
rand_serial = yes
policy = any
[any]
commonName = supplied
`;

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "kit-certificates-"));
  const run = (...args: string[]) => execFileSync(pathOf("OpenSSL"), args, { cwd: folder, stdio: "pipe" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const request = (name: string, alternative: string) => {
    writeFileSync(join(folder, "extensions"), `subjectAltName=${alternative}\nbasicConstraints=CA:FALSE\n`);
    run("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
  };
  const sign = (name: string, alternative: string, days: string): Certificate => {
    request(name, alternative);
    const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", days, "-extfile", "extensions"];
    run("x509", "-req", "-in", `${name}.csr`, ...signing, "-out", `${name}.pem`);
    return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
  };
  const signLater = (name: string, alternative: string): Certificate => {
    request(name, alternative);
    writeFileSync(join(folder, "config"), authorityConfig);
    writeFileSync(join(folder, "index"), "");
    const dates = ["-startdate", "20900101000000Z", "-enddate", "20910101000000Z"];
    const files = ["-extfile", "extensions", "-in", `${name}.csr`, "-out", `${name}.pem`];
    run("ca", "-batch", "-notext", "-config", "config", ...dates, ...files);
    return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
  };
  const own = (name: string, ...more: string[]): Certificate => {
    run(
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`,
      "-subj",
      `/CN=${name}`,
      "-days",
      "2",
      ...more,
    );
    return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
  };
  try {
    const here = "DNS:localhost,IP:127.0.0.1";
    const ca = own("ca", "-addext", "basicConstraints=critical,CA:TRUE").cert;
    return {
      ca,
      good: sign("good", here, "1"),
      expired: sign("expired", here, "-1"),
      notYetValid: signLater("later", here),
      otherName: sign("other", "DNS:other.example", "1"),
      selfSigned: own("self", "-addext", `subjectAltName=${here}`),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
