import type { Arranged } from "../../kernel/arranged.ts";
import { drop, keep, kept } from "./storage.ts";

/** 7 days (specification section 9). */
const TOKEN_MS = 604_800_000;
const COOKIE = "hzsk_token";
const PATH = "/sams/";

export type Permission = { permissionId: number; actionEntitySet?: { action: string }[] };

/** Answer of GET /user/info. */
export type Operator = {
  name: string;
  avatar: string | null;
  operatorId: number;
  /** '0' platform super admin, '1' enterprise admin, '' ordinary. */
  superType: string;
  phone: string;
  role: { permissions: Permission[] };
  /** Numeric codes of fine operations. */
  authorities: number[];
  villageCount: number;
  /** An administrator gave the password; it must be replaced first. */
  mustChangePassword: boolean;
  /** The enterprise demands a second factor that is not switched on yet. */
  mustEnrol: boolean;
  /** The server's business date when it was asked. */
  today: string;
  /** Set while an administrator looks on as this person. */
  viewAs?: { by: string; until: string } | null;
  /** What was changed of menus and pages; an answer kept from an earlier release has none. */
  menu?: readonly Arranged[];
};

const cookieToken = () => document.cookie.match(/(?:^|; )hzsk_token=([^;]+)/)?.[1];

/** The session was ended by the server; the next login takes the mark away. */
export const markTimeout = (): void => keep("tokenTimeout", true);

export const token = (): string | undefined => kept<string>("token") ?? cookieToken();

/** `superType` and `phone` are kept beside the token, under the names that other programs of the house read. */
export function enter(newToken: string, superType: string, phone: string): void {
  keep("token", newToken, TOKEN_MS);
  drop("tokenTimeout");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${COOKIE}=${newToken}; Max-Age=${TOKEN_MS / 1000}; Path=${PATH}; SameSite=Lax${secure}`;
  localStorage.setItem("hzsk_supertype", superType);
  localStorage.setItem("hzsk_phone", phone);
}

type Entry = { token: string; superType: string; phone: string };

/** Takes the token of somebody whom an administrator looks on as; one's own waits until the view ends. */
export function enterView({ token: theirs, superType, phone }: Entry): void {
  const own: Entry = {
    token: token() ?? "",
    superType: localStorage.getItem("hzsk_supertype") ?? "",
    phone: localStorage.getItem("hzsk_phone") ?? "",
  };
  forget();
  keep("viewer", own, TOKEN_MS);
  enter(theirs, superType, phone);
}

function forget(): void {
  for (const key of ["token", "userInfo", "authorityList", "viewer"]) drop(key);
  document.cookie = `${COOKIE}=; Max-Age=0; Path=${PATH}`;
  localStorage.removeItem("hzsk_supertype");
  localStorage.removeItem("hzsk_phone");
  sessionStorage.removeItem("sig__tabs");
}

/** Forgets the token, the roles and the open tabs. Display settings stay. The end of a view leads back to one's own session. */
export function leave(): void {
  const own = kept<Entry>("viewer");
  forget();
  if (own?.token) enter(own.token, own.superType, own.phone);
}
