import { useState } from "react";
import { NotesDrawer, useUnseen } from "./notes.panel.tsx";
import { VERSION_LABEL } from "./version.rules.ts";
import "../message/message.css";

/**
 * The link in the header: which release this is, and a dot while there is a note that its reader has not seen. A phone has
 * it in the menu of the avatar.
 */
export default function VersionPanel() {
  const [open, setOpen] = useState(false);
  const fresh = useUnseen() !== "";
  return (
    <>
      <button
        type="button"
        className="version hide-s"
        aria-label={fresh ? `版本说明 ${VERSION_LABEL}，有更新` : `版本说明 ${VERSION_LABEL}`}
        onClick={() => setOpen(true)}
      >
        {VERSION_LABEL}
        {fresh && <i className="version__dot" />}
      </button>
      {open && <NotesDrawer onClose={() => setOpen(false)} />}
    </>
  );
}
