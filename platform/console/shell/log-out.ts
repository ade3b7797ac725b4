import { confirm } from "../parts/dialog.tsx";
import { sentence } from "../calls/failure.ts";
import { sendWire } from "../calls/request.ts";
import { leave } from "../session/session.ts";
import { windowKept } from "../session/storage.ts";
import { toast } from "../parts/toast.ts";

/** Asks, tells the server, forgets the session whatever it answers, and loads the page anew (specification section 4). */
export const askLeave = () =>
  confirm({
    title: "Message",
    body: "Do you really log-out.",
    width: 360,
    run: async () => {
      try {
        await sendWire({ method: "POST", path: "/system/api/v4/login/logout" });
      } catch (error) {
        // shown at once, and again after the reload, which comes sooner than anybody can read
        toast(sentence(error), "error", "错误");
        windowKept.set("notice", sentence(error));
      }
      leave();
      setTimeout(() => location.reload(), 16);
    },
  });
