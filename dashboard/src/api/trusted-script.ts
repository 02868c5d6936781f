// The scripts that pages load by their URL, as browsers want them that check scripts.

type ScriptPolicy = { createScriptURL(url: string): string };
type ScriptPolicies = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };

/** The launcher lets pages create one policy, once, by this name. */
let policy: ScriptPolicy | undefined;

/** Call it only with a URL that is written in the code. */
export function trustedScript(url: `/${string}.js`): string {
  const { trustedTypes } = window as { trustedTypes?: ScriptPolicies };
  policy ??= trustedTypes?.createPolicy("kit", { createScriptURL: (given) => given });
  return policy?.createScriptURL(url) ?? url;
}
