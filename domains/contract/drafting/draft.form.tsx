import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { withValue, type FormState } from "../../../platform/console/form/form-state.ts";
import { useUnsaved } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { useSettled } from "../../../platform/console/form/settled.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { createContract, formData, saveContract } from "./draft.contract.ts";
import type { Limits, RoomFacts } from "../terms/product.rules.ts";
import { mainCard, roomLists, usualTerms } from "./drafting.rules.ts";
import { pricedByArea, shopArea } from "../terms/area-fee.rules.ts";
import { liveBills, type Live } from "../terms/check.rules.ts";
import { contractForm, type ContractForm, type Terms } from "../terms/terms.contract.ts";

export type FormData = Reply<typeof formData>;
export type RoomCard = FormData["rooms"][number];
export type Saved = { id: number; contractNo: string; version: number };

/** What the inputs of the terms work on: a contract's form, or the default terms of a set of parameters. */
export type TermsDraft = FormState<Terms> & {
  form: Terms & { rooms?: ContractForm["rooms"] };
  patch: (change: Partial<Terms>) => void;
};

/** Everything the steps share. */
export type Draft = FormState<ContractForm> & {
  form: ContractForm;
  patch: (change: Partial<ContractForm>) => void;
  data: FormData | undefined;
  /** Rooms as far as they are known, by id. */
  cards: ReadonlyMap<number, RoomCard>;
  live: Live;
  wrong: readonly FieldError[];
  saved: Saved | undefined;
  savedAt: string | undefined;
  /** Why the last save did not go through. */
  trouble: string | undefined;
  /** Saves what has changed; throws when it cannot. */
  save: () => Promise<Saved>;
  /** Lays the server's field errors on the fields. */
  lay: (fields: readonly FieldError[]) => void;
};

const EVERY_MS = 30_000;
const clockText = () => new Date().toTimeString().slice(0, 5);

/** The state of the contract form: what is typed, what it would cost, what is wrong, and the draft on the server. */
export function useDraft(
  initial: ContractForm,
  before: Saved | undefined,
  /** Terms that were agreed before, such as on reserving the room: they stand before the village's own. */
  agreed: Partial<ContractForm> = {},
): Draft {
  const [form, setForm] = useState(initial);
  const [kept, setKept] = useState(initial);
  const [saved, setSaved] = useState(before);
  // what is on the server: saves follow each other, so the next one must see what the last has left
  const server = useRef({ saved: before, kept: initial });
  const [savedAt, setSavedAt] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const [theirs, setTheirs] = useState<readonly FieldError[]>([]);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set(before ? ["*"] : []));
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(form);
  latest.current = form;
  const dirty = form !== kept;
  useUnsaved(dirty && form.villageId > 0);

  const { data } = useFormData(form, saved?.id);
  const settled = useRef(agreed);
  const presets = useRef(before !== undefined);
  useEffect(() => {
    // the village's own terms, once, while nothing has been agreed yet
    if (!data || presets.current) return;
    presets.current = true;
    setForm((f) => ({ ...f, ...(data.terms as Terms), ...settled.current }));
  }, [data]);

  const cards = useMemo(() => new Map(data?.rooms.map((r) => [r.roomId, r])), [data]);
  const priced = useRef(new Set<number>());
  useEffect(() => {
    // a room that came with the address brings its list price, once
    const price = (room: ContractForm["rooms"][number]) => {
      const listed = cards.get(room.roomId)?.listPrice;
      if (!listed || room.monthlyRent || priced.current.has(room.roomId)) return room;
      priced.current.add(room.roomId);
      return { ...room, monthlyRent: listed };
    };
    const before = latest.current.rooms;
    const rooms = before.map(price);
    if (rooms.some((r, i) => r !== before[i])) setForm((f) => ({ ...f, rooms }));
  }, [cards]);
  // a fee by area follows the price and the shops
  const { fees, rooms } = form;
  useEffect(() => {
    if (!fees.some((fee) => fee.unitPrice)) return;
    const priced = pricedByArea(fees, shopArea(rooms, [...cards.values()]));
    if (priced !== fees) setForm((f) => (f.fees === fees ? { ...f, fees: [...priced] } : f));
  }, [fees, rooms, cards]);
  // a room chosen anew brings the default way of paying of its product; what was agreed or saved before stays
  const main = mainCard(form.rooms, cards);
  const planned = useRef(before || Object.keys(agreed).length ? initial.rooms[0]?.roomId : undefined);
  const brought = useRef<RoomCard>(undefined);
  useEffect(() => {
    if (!main || planned.current === main.roomId) return;
    planned.current = main.roomId;
    const last = brought.current;
    brought.current = main;
    setForm((f) => ({ ...f, ...usualTerms(f, main, last) }));
  }, [main]);
  // of very many rooms it takes a second
  const rested = useSettled(form.rooms.length > MANY_ROOMS ? form : undefined);
  const resting = rested ?? form;
  const live = useMemo(() => computed(resting, data), [resting, data]);
  const wrong = useMemo(() => [...live.errors, ...theirs], [live, theirs]);
  const errors = useMemo(() => {
    const shown = touched.has("*") ? wrong : wrong.filter((e) => touched.has(e.field.split(".")[0]!));
    return Object.fromEntries(shown.toReversed().map((e) => [e.field, e.msg]));
  }, [wrong, touched]);

  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const save = (): Promise<Saved> => {
    const next = queue.current.then(saveNow, saveNow);
    queue.current = next;
    return next;
  };
  const saveNow = async (): Promise<Saved> => {
    const now = latest.current;
    if (server.current.saved && now === server.current.kept) return server.current.saved;
    const sent = { ...now, start: now.start ?? null, end: now.end ?? null };
    const parsed = contractForm.safeParse(sent);
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!;
      setTouched((t) => new Set(t).add(String(issue.path[0])));
      const unsaved = `未保存：${issue.message}`;
      setTrouble(unsaved);
      throw new Failure("invalid", unsaved, 400);
    }
    setBusy(true);
    try {
      const { occupantIds, ...done } = await written(sent, server.current.saved);
      // the server keeps certificates; what was typed is not sent again
      const occupants = now.occupants.map(({ certNo: _, ...o }, i) => ({ ...o, id: occupantIds[i]! }));
      const settled = now.occupants.length ? { ...now, occupants } : now;
      server.current = { saved: done, kept: settled };
      if (latest.current === now) latest.current = settled;
      setForm((f) => (f === now ? settled : f));
      setKept(settled);
      setSaved(done);
      setSavedAt(clockText());
      setTrouble(undefined);
      return done;
    } catch (error) {
      setTrouble(sentence(error));
      throw error;
    } finally {
      setBusy(false);
    }
  };
  const lay = (fields: readonly FieldError[]) => {
    setTheirs(fields);
    setTouched(new Set(["*"]));
  };
  const tried = useRef(save);
  tried.current = save;
  useEffect(() => {
    const timer = setInterval(() => {
      if (latest.current.villageId > 0) void tried.current().catch(() => undefined);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  const change = (next: (form: ContractForm) => ContractForm, field: string) => {
    setForm(next);
    setTheirs((all) => (all.length ? all.filter((e) => e.field.split(".")[0] !== field) : all));
  };
  return {
    form,
    values: form,
    errors,
    alert: undefined,
    dirty,
    busy: false,
    schema: contractForm,
    box,
    set: (path, value) => change((f) => named(withValue(f, path, value), path, data), path.split(".")[0]!),
    blur: (path) => setTouched((t) => new Set(t).add(path.split(".")[0]!)),
    submit: async () => false,
    patch: (more) => change((f) => ({ ...f, ...more }), Object.keys(more)[0] ?? ""),
    data,
    cards,
    live,
    wrong,
    saved,
    savedAt: busy ? "保存中" : savedAt,
    trouble,
    save,
    lay,
  };
}

/** A fee that was just chosen brings its name; a deposit is taken as one and given back. An amount that is typed is none by area. */
function named(form: ContractForm, path: string, data: FormData | undefined): ContractForm {
  const typed = /^fees\.(\d+)\.amount$/.exec(path)?.[1];
  if (typed && form.fees[Number(typed)]?.unitPrice) return withValue(form, `fees.${typed}.unitPrice`, null);
  const at = /^fees\.(\d+)\.feeId$/.exec(path)?.[1];
  const fee = at && data?.fees.find((f) => f.feeId === form.fees[Number(at)]?.feeId);
  if (!at || !fee) return form;
  const { kind } = form.fees[Number(at)]!;
  const fits = fee.deposit ? "depositInKind" : kind === "depositInKind" ? "recurring" : kind;
  return withValue(withValue(form, `fees.${at}.name`, fee.name), `fees.${at}.kind`, fits);
}

const written = (form: ContractForm, saved: Saved | undefined) =>
  saved
    ? send(saveContract, { params: { id: saved.id }, body: { ...form, version: saved.version } })
    : send(createContract, { body: form });

/** The parts of what was asked as one; nothing until all are there. */
function together(parts: readonly { data: FormData | undefined }[]): { data: FormData | undefined } {
  const all = parts.flatMap((part) => part.data ?? []);
  const [first] = all;
  if (!first || all.length < parts.length) return { data: undefined };
  return { data: all.length === 1 ? first : { ...first, rooms: all.flatMap((part) => part.rooms) } };
}

/** Prices, limits, rooms with their timelines and the tenant's card, for what is chosen so far. */
function useFormData(
  { kind, villageId, rooms, partyId, start, end }: ContractForm,
  contractId: number | undefined,
) {
  return useQueries({
    queries: roomLists(rooms.map((r) => r.roomId)).map((roomIds) => ({
      ...ask(formData, {
        query: {
          kind,
          villageId,
          roomIds,
          ...(partyId && { partyId }),
          ...(contractId && { contractId }),
          ...(start && { start }),
          ...(end && start && end >= start && { end }),
        },
      }),
      enabled: villageId > 0,
      placeholderData: keepPreviousData,
    })),
    combine: together,
  });
}

/** Of more rooms the plan is worked out once typing rests. */
const MANY_ROOMS = 200;

/** Something half-typed may be no number at all; then there is nothing to show yet. */
function computed(form: ContractForm, data: FormData | undefined): Live {
  if (!data)
    return { plan: undefined, errors: form.villageId ? [] : [{ field: "villageId", msg: "请选择门店" }] };
  const limits: Limits = {
    ...data.config,
    today: data.today,
    mayBackdate: may(permitOf(form.kind, "backdate")),
    rooms: data.rooms satisfies RoomFacts[],
    party: data.party ?? undefined,
  };
  try {
    return liveBills(form, limits);
  } catch {
    return { plan: undefined, errors: [] };
  }
}
