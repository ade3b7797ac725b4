import { createHash, randomUUID } from "node:crypto";
import http from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export type Provider = {
  issuer: string;
  /** Goes where a browser is sent, as somebody; answers where the issuer sends it back to. */
  visit: (url: string, person: Record<string, string | boolean>) => Promise<URL>;
  /** A ticket for a brand, signed with the issuer's key. `ago` in seconds. */
  ticket: (person: Record<string, string | boolean>, audience: string, ago?: number) => Promise<string>;
  close: () => void;
};

/** A small OpenID provider on this machine: discovery, keys, codes with proof keys, and tokens. */
export async function aProvider(client: { id: string; secret: string }): Promise<Provider> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const codes = new Map<string, { asked: URLSearchParams; person: Record<string, string | boolean> }>();
  let issuer = "";
  const signed = (claims: Record<string, string | boolean>, audience: string, at: number) =>
    new SignJWT({ sub: "1", jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(at)
      .setExpirationTime(at + 3600)
      .sign(privateKey);
  const now = () => Math.floor(Date.now() / 1000);

  const token = async (body: URLSearchParams, authorization: string | undefined) => {
    const [id, secret] = authorization?.startsWith("Basic ")
      ? Buffer.from(authorization.slice(6), "base64").toString().split(":").map(decodeURIComponent)
      : [body.get("client_id"), body.get("client_secret")];
    const given = codes.get(body.get("code") ?? "");
    codes.delete(body.get("code") ?? "");
    const proof = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    const right =
      given && id === client.id && secret === client.secret && proof === given.asked.get("code_challenge");
    if (!right) return { status: 400, body: { error: "invalid_grant" } };
    const claims = { ...given.person, nonce: given.asked.get("nonce")! };
    const id_token = await signed(claims, client.id, now());
    return {
      status: 200,
      body: { access_token: randomUUID(), token_type: "bearer", expires_in: 60, id_token },
    };
  };
  const server = http.createServer((request, reply) => {
    const url = new URL(request.url!, issuer);
    const say = (status: number, body: unknown) =>
      reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/.well-known/openid-configuration")
      return void say(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    if (url.pathname === "/keys") return void say(200, { keys: [key] });
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      void token(new URLSearchParams(body), request.headers.authorization).then((answer) =>
        say(answer.status, answer.body),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    issuer,
    visit: async (url, person) => {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      codes.set(code, { asked, person });
      const back = new URL(asked.get("redirect_uri")!);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state")!);
      return back;
    },
    ticket: (person, audience, ago = 0) => signed(person, audience, now() - ago),
    close: () => server.close(),
  };
}
