// Verifies a delivery with the library of Standard Webhooks for JavaScript.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// By NODE_PATH, which `import` does not read.
const { Webhook, WebhookVerificationError } = createRequire(import.meta.url)("standardwebhooks");
const { secret, headers, body } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const library = new Webhook(secret);
library.verify(body, headers);
try {
    library.verify(body.replace("webhook.test", "webhook.fake"), headers);
    throw new Error("webhooks: the library for JavaScript accepts another body");
} catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log("webhooks: the library for JavaScript verifies a delivery");
}
