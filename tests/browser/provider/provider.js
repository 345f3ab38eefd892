// An OpenID Connect provider with one client; whoever signs in has the login they type as their user name.

import { Provider } from "oidc-provider";

const [port, redirect, secret] = process.argv.slice(2);
const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: "feltwork", client_secret: secret, redirect_uris: [redirect] }],
  claims: { profile: ["preferred_username"] },
  conformIdTokenClaims: false,
  cookies: { keys: [secret] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id }) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
