import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oidc from "openid-client";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import type { Settings } from "../../../platform/server/process/settings.ts";

/** Not 401, which would send the browser into the rule of sessions that ended. */
export const invalidTicket = () => new Refusal("ticketInvalid", "登录凭证无效或已过期", 400, { keeps: true });
export const ATTEMPT_MS = 10 * 60_000;
/** Seconds that a ticket may be old. */
const TICKET_S = 300;

type Keys = ReturnType<typeof createRemoteJWKSet>;
type Issuer = { config: oidc.Configuration; keys: Keys | undefined };
const known = new Map<string, Promise<Issuer>>();

/** The issuer as it describes itself; asked anew when it could not be reached. */
function issuerOf({ SSO_ISSUER, SSO_CLIENT_ID, SSO_CLIENT_SECRET }: Settings): Promise<Issuer> {
  if (!SSO_ISSUER) throw new Refusal("noSso", "未开通单点登录", 404);
  let issuer = known.get(SSO_ISSUER);
  if (!issuer) {
    const url = new URL(SSO_ISSUER);
    // plain http is let through for an issuer on this machine alone (settings.ts)
    const execute = url.protocol === "http:" ? [oidc.allowInsecureRequests] : [];
    issuer = oidc
      .discovery(url, SSO_CLIENT_ID!, SSO_CLIENT_SECRET!, undefined, { execute })
      .then((config) => {
        const at = config.serverMetadata().jwks_uri;
        return { config, keys: at ? createRemoteJWKSet(new URL(at)) : undefined };
      });
    known.set(SSO_ISSUER, issuer);
    issuer.catch(() => known.delete(SSO_ISSUER));
  }
  return issuer;
}

const backTo = ({ PUBLIC_URL, HOST, PORT }: Settings) =>
  `${PUBLIC_URL ?? `http://${HOST}:${PORT}`}/sams/portal/login`;

/**
 * An address of the issuer with a state, a nonce and a proof key that only this attempt knows, and a secret that binds it
 * to the browser: whoever is sent a link of somebody else's attempt does not come in as them.
 */
export async function beginAt(act: Act): Promise<{ url: string; browser: string }> {
  const { config } = await issuerOf(act.settings);
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
  const browser = newToken();
  await act.tx
    .insertInto("ssoAttempt")
    .values({
      stateHash: hashOf(state),
      browserHash: hashOf(browser),
      verifier,
      nonce,
      expiresAt: new Date(act.now.getTime() + ATTEMPT_MS).toISOString(),
    })
    .execute();
  const { href: url } = oidc.buildAuthorizationUrl(config, {
    redirect_uri: backTo(act.settings),
    scope: "openid profile email phone",
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  return { url, browser };
}

type Claims = Readonly<Record<string, unknown>>;

/** What the issuer says about whoever came back with a code. The attempt is used up, whatever comes of it. */
export async function claimsOfCode(
  act: Act,
  given: { code: string; state: string; iss?: string },
  browser: string,
): Promise<Claims> {
  const attempt = await act.tx
    .deleteFrom("ssoAttempt")
    .where("stateHash", "=", hashOf(given.state))
    .returningAll()
    .executeTakeFirst();
  if (!attempt || new Date(attempt.expiresAt) < act.now) throw invalidTicket();
  if (!attempt.browserHash.equals(hashOf(browser))) throw invalidTicket();
  const { config } = await issuerOf(act.settings);
  const url = new URL(backTo(act.settings));
  for (const [name, value] of Object.entries(given)) if (value) url.searchParams.set(name, value);
  const checks = {
    pkceCodeVerifier: attempt.verifier,
    expectedState: given.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  };
  const tokens = await oidc.authorizationCodeGrant(config, url, checks).catch(() => undefined);
  const claims = tokens?.claims();
  if (!claims) throw invalidTicket();
  return claims;
}

/** What a ticket says: signed by the issuer, made for this brand, at most five minutes old, and never seen before. */
export async function claimsOfTicket(act: Act, ticket: string): Promise<Claims> {
  const { keys } = await issuerOf(act.settings);
  if (!keys) throw invalidTicket();
  const { key: audience } = await brandOf(act.settings.BRAND);
  const read = await jwtVerify(ticket, keys, {
    issuer: act.settings.SSO_ISSUER!,
    audience,
    maxTokenAge: TICKET_S,
    requiredClaims: ["iat", "sub"],
    currentDate: act.now,
  }).catch(() => undefined);
  if (!read) throw invalidTicket();
  const fresh = await act.tx
    .insertInto("ssoTicket")
    .values({
      ticketHash: hashOf(ticket),
      expiresAt: new Date(act.now.getTime() + 2 * TICKET_S * 1000).toISOString(),
    })
    .onConflict((c) => c.column("ticketHash").doNothing())
    .returning("expiresAt")
    .executeTakeFirst();
  if (!fresh) throw invalidTicket();
  return read.payload;
}
