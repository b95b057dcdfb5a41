import type { DigestEntry } from "#service/notify/event";
import type { Tone } from "#service/notify/message/message";

type Saying = DigestEntry["saying"];

/** How one event of many is counted in the title, and how early it stands: what is worst is read first. */
interface DigestPart {
  /** After a number: `3 down`. */
  readonly many: string;
  /** The same after `1`; left out if that is no other word. */
  readonly one?: string;
  readonly tone: Tone;
  /** Down, then slow, certificates, planned work, and last what is over. */
  readonly rank: number;
}

export function digestPart(saying: Saying): DigestPart {
  if ("monitor" in saying && saying.certificate !== null) return certificatePart(saying);
  switch (saying.type) {
    case "monitor.reminder":
      return lasting(saying.status);
    case "monitor.settled":
      // What is steady and down is not well: it is called what lasts.
      return saying.status === "active" ? over("quiet", "steady") : lasting(saying.status);
    case "monitor.flapping":
      return saying.status === "error" ? down("flapping") : slow("flapping");
    case "location.trouble":
      return saying.trouble === "vantage" && saying.urgency !== "warning"
        ? down("with a fault of the location")
        : slow("with agent trouble");
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.recovered":
    case "monitor.closed":
    case "location.offline":
    case "location.online":
    case "location.well":
    case "location.closed":
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended":
    case "channel.failing":
      return parts[saying.type];
  }
}

const certificatePart = ({ type }: Saying): DigestPart => {
  if (type === "monitor.recovered") return over("up", "with a new certificate");
  if (type === "monitor.closed") return parts[type];
  return { many: "with a certificate that ends", tone: "slow", rank: 2 };
};

const down = (many: string): DigestPart => ({ many, tone: "down", rank: 0 });
const slow = (many: string): DigestPart => ({ many, tone: "slow", rank: 1 });
const called = (one: string, part: DigestPart): DigestPart => ({ ...part, one });
const planned = (many: string): DigestPart => ({ many, tone: "quiet", rank: 3 });
const over = (tone: Tone, many: string): DigestPart => ({ many, tone, rank: 4 });

const lasting = (status: "degraded" | "error"): DigestPart =>
  status === "error" ? down("still down") : slow("still slow");

const parts = {
  "monitor.error": down("down"),
  "monitor.degraded": slow("slow"),
  "monitor.recovered": over("up", "up again"),
  "monitor.closed": over("quiet", "no longer watched"),
  "location.offline": called("location offline", down("locations offline")),
  "location.online": called("location back", over("up", "locations back")),
  "location.well": called("agent well again", over("up", "agents well again")),
  "location.closed": over("quiet", "no longer watched"),
  "maintenance.started": planned("in maintenance"),
  "maintenance.changed": planned("changed maintenance"),
  "maintenance.ended": over("quiet", "maintenance ended"),
  "channel.failing": called("channel failing", slow("channels failing")),
} as const satisfies { readonly [T in Saying["type"]]?: DigestPart };
