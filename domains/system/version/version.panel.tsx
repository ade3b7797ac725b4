import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { getPreference, putPreference } from "../preference/preference.contract.ts";
import { NotesDrawer } from "./notes.panel.tsx";
import { listVersions } from "./version.contract.ts";
import { seenMark, VERSION_LABEL } from "./version.rules.ts";
import "../message/message.css";

const params = { key: "version.seen" };
const newest = ask(listVersions, { query: { pageSize: 1, want: "rows" } });
const seen = ask(getPreference, { params });
const HOUR_MS = 3_600_000;

/** The link in the header: which release this is, and a dot while there is a note that its reader has not seen. */
export default function VersionPanel() {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const { data: notes } = useQuery({ ...newest, staleTime: HOUR_MS });
  const { data: kept } = useQuery({ ...seen, staleTime: HOUR_MS });
  const mark = seenMark(notes?.list[0]);
  const fresh = mark !== "" && kept !== undefined && kept.value !== mark;
  const show = () => {
    setOpen(true);
    if (!fresh) return;
    client.setQueryData(seen.queryKey, { value: mark });
    // should it not arrive, the dot is there again next time
    send(putPreference, { params, body: { value: mark } }).catch(() => undefined);
  };
  return (
    <>
      <button
        type="button"
        className="version hide-s"
        aria-label={fresh ? `版本说明 ${VERSION_LABEL}，有更新` : `版本说明 ${VERSION_LABEL}`}
        onClick={show}
      >
        {VERSION_LABEL}
        {fresh && <i className="version__dot" />}
      </button>
      {open && <NotesDrawer onClose={() => setOpen(false)} />}
    </>
  );
}
