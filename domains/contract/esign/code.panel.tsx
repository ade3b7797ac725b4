import { ask, atServer, button, field, h, Refused, textOf } from "./dom.panel.tsx";

/** The code that is sent to the signer's phone, with the picture that is to be read before another one is. */
export function smsCode(
  code: string,
  device: string,
  how: { phone: string; needImageCode: boolean; secondsToNextCode: number },
) {
  const captcha = field("短信验证码", {
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: 6,
    required: true,
  });
  const picture = imageCode();
  if (!how.needImageCode) picture.box.hidden = true;
  else void picture.renew();

  const sendCode = button(
    "获取验证码",
    async () => {
      try {
        const { seconds } = await ask<{ seconds: number }>("POST", `${code}/sms`, {
          device,
          ...(!picture.box.hidden && picture.sent()),
        });
        captcha.wrong("");
        count(seconds);
        captcha.input.focus();
        picture.box.hidden = false;
        await picture.renew();
      } catch (error) {
        if (error instanceof Refused && error.data["needImageCode"]) {
          picture.box.hidden = false;
          await picture.renew();
          picture.wrong(error.message);
        } else captcha.wrong(textOf(error));
      }
    },
    "btn btn--lg",
  );
  const count = (seconds: number) => {
    let left = seconds;
    const each = () => {
      sendCode.textContent = left > 0 ? `${left} 秒后可重发` : "重新获取验证码";
      sendCode.setAttribute("aria-disabled", String(left > 0));
      if (left-- > 0) setTimeout(each, 1000);
    };
    each();
  };
  if (how.secondsToNextCode) count(how.secondsToNextCode);
  return {
    parts: [picture.box, captcha.box, h("p", { class: "fs-13 sub" }, `验证码发送到 ${how.phone}`), sendCode],
    wrong: captcha.wrong,
    /** The six digits; says so and answers nothing where they are not there. */
    typed: (): string | undefined => {
      const digits = captcha.input.value.trim();
      if (/^\d{6}$/.test(digits)) return digits;
      captcha.wrong("请输入6位短信验证码");
      captcha.input.focus();
      return undefined;
    },
  };
}

/** The picture whose letters are to be read before another code is sent. */
function imageCode() {
  const image = h("img", { class: "sg__image", alt: "图形验证码，看不清可更换" });
  const typed = field("图形验证码", { autocomplete: "off", maxlength: 10 });
  let key = "";
  const renew = async () => {
    const response = await fetch(atServer("/system/api/v4/login/getImage"), { credentials: "omit" });
    // the key stands in this header, after the sign
    key = response.headers.get("content-disposition")?.split("=").at(-1) ?? "";
    image.src = URL.createObjectURL(await response.blob());
    typed.input.value = "";
  };
  return {
    box: h(
      "div",
      { class: "stack gap-4" },
      typed.box,
      h("div", { class: "row gap-4" }, image, button("换一张", renew, "btn")),
    ),
    renew,
    wrong: typed.wrong,
    sent: () => ({ imageCode: typed.input.value.trim(), imageCodeKey: key }),
  };
}
