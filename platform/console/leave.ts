import { confirm } from "./dialog.tsx";
import { sentence } from "./failure.ts";
import { sendWire } from "./request.ts";
import { leave } from "./session.ts";
import { toast } from "./toast.ts";

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
        toast(sentence(error), "error", "错误");
      }
      leave();
      setTimeout(() => location.reload(), 16);
    },
  });
