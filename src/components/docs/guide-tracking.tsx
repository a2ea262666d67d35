import { TRACKING_STATUSES } from '../../server/core/statuses';
import { Code, Section } from './parts';

export function TrackingCallbacksGuide({ origin }: { origin: string }) {
  return (
    <>
      <p>
        <code>POST /api/v1/tracks</code> receives carriers&rsquo; reports. The body is stored first. Then its
        events are merged, and the status of every shipment and order with that tracking number is computed
        again. Repeated and late reports do no harm. A report that arrives before its order is applied as soon
        as an order gets the number.
      </p>
      <Section id="plain" title="The plain form">
        <Code language="Shell">{`curl ${origin}/api/v1/tracks \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"event": "tracking", "data": {"tracking_number": "LX123456789CN", "status": "in_transit",
       "description": "Departed from facility", "location": "Los Angeles", "time": "2026-08-25T15:04:00Z"}}'`}</Code>
        <p>
          <code>data</code> may be a list of such objects. <code>status</code> is one of{' '}
          {TRACKING_STATUSES.map((status, index) => (
            <span key={status}>
              {index > 0 ? ', ' : ''}
              <code>{status}</code>
            </span>
          ))}{' '}
          or one of 17TRACK&rsquo;s. <code>sub_status</code>, <code>description</code>, <code>location</code>{' '}
          and <code>time</code> may be left out. <code>time</code> is ISO 8601, extended (
          <code>2026-08-25T15:04:00+02:00</code>) or basic (<code>20260825T130400Z</code>), and UTC if it has
          no offset; or a Unix time in seconds or milliseconds, as a JSON number. If it is left out, the time
          of receipt is used; identical entries in one body are then one event, and sending the same body
          again adds none.
        </p>
        <Code language="JSON">
          {
            '{"success":true,"data":{"record_id":1,"tracking_numbers":["LX123456789CN"],"matched_orders":1,"updated_orders":1,"new_events":1}}'
          }
        </Code>
        <p>
          An entry creates no event if it has no status, if its time is anything else (other text, a number in
          quotes, a day that does not exist, or a year outside 2000 to 2099), or if its tracking number is
          missing, longer than 100 characters, or a JSON number beyond 2^53-1, whose last digits are lost. The
          rest of the body is still processed. Skipped entries are shown on the callback&rsquo;s page in the
          back office, with the reason.
        </p>
        <p>
          Any other JSON object is stored, gets 200 and changes nothing: check <code>tracking_numbers</code>,
          which lists what was understood. By default, bodies are stored for 30 days.
        </p>
      </Section>
      <Section id="17track" title="17TRACK's webhook">
        <p>
          Version 2 of 17TRACK&rsquo;s webhook is accepted as it is: <code>event</code> is{' '}
          <code>TRACKING_UPDATED</code> or <code>TRACKING_STOPPED</code>, and <code>data</code> has{' '}
          <code>number</code>, <code>carrier</code> and <code>track_info</code>.
        </p>
        <Code language="Shell">{`curl ${origin}/api/v1/tracks \\
  -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"event": "TRACKING_UPDATED", "data": {"number": "LX123456789CN", "carrier": 190012, "track_info": {
       "latest_status": {"status": "Delivered", "sub_status": "Delivered_Other"},
       "tracking": {"providers": [{"provider": {"name": "Yanwen"}, "events": [
         {"time_utc": "2026-08-28T15:04:00Z", "description": "Delivered", "location": "Carrollton",
          "stage": "Delivered", "sub_status": "Delivered_Other"}]}]}}}}'`}</Code>
      </Section>
      <Section id="relay" title="Senders that cannot set a header">
        <p>
          The header <code>X-Api-Key</code> is required here as everywhere. A sender that cannot set it, which
          may be true of 17TRACK&rsquo;s webhook, needs a relay: a reverse proxy that accepts the call, adds
          the header, and passes on the body, byte for byte, and the header <code>sign</code>. For nginx:
        </p>
        <Code language="nginx">{`location = /hooks/17track {
    proxy_pass ${origin}/api/v1/tracks;
    proxy_set_header X-Api-Key YOUR_KEY;
}`}</Code>
        <p>
          Anybody can call the relay, so configure a signing secret as well. Give the relay its own key, so
          that you can revoke it separately.
        </p>
      </Section>
      <Section id="signature" title="Signatures">
        <p>
          If the deployment sets <code>TRACK17_WEBHOOK_SECRET</code> (for 17TRACK, its API key), each callback
          must have the header <code>sign</code> in addition to the key: the SHA-256 of the raw body, a slash
          and the secret, in lowercase hexadecimal. A body whose signature does not verify gets 401 and is not
          stored. Sign exactly the bytes that you send.
        </p>
        <Code language="JavaScript">{`import { createHash } from 'node:crypto';

const body = JSON.stringify({ event: 'tracking', data: { tracking_number: 'LX123456789CN', status: 'delivered' } });
const sign = createHash('sha256').update(\`\${body}/YOUR_SECRET\`).digest('hex');
const response = await fetch('${origin}/api/v1/tracks', {
  method: 'POST',
  headers: { 'X-Api-Key': 'YOUR_KEY', 'Content-Type': 'application/json', sign },
  body,
});
console.log(await response.json());`}</Code>
        <Code language="Python">{`import hashlib, json, urllib.request

body = json.dumps({"event": "tracking", "data": {"tracking_number": "LX123456789CN", "status": "delivered"}})
sign = hashlib.sha256(f"{body}/YOUR_SECRET".encode()).hexdigest()
request = urllib.request.Request(
    "${origin}/api/v1/tracks",
    data=body.encode(),
    headers={"X-Api-Key": "YOUR_KEY", "Content-Type": "application/json", "sign": sign},
)
print(urllib.request.urlopen(request).read().decode())`}</Code>
        <Code language="Shell">{`BODY='{"event":"tracking","data":{"tracking_number":"LX123456789CN","status":"delivered"}}'
SIGN=$(printf '%s/%s' "$BODY" "YOUR_SECRET" | sha256sum | cut -d ' ' -f 1)
curl ${origin}/api/v1/tracks -H "X-Api-Key: YOUR_KEY" -H "Content-Type: application/json" \\
  -H "sign: $SIGN" --data-binary "$BODY"`}</Code>
      </Section>
    </>
  );
}
