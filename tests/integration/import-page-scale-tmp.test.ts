import { afterAll, beforeAll, it } from 'vitest';
import { type Cells, csvOf, draftOf } from '../support/import-page';
import { type SignedIn, signedInAs } from '../support/person';
import { startTestService, type TestService } from '../support/test-service';

let service: TestService;
let person: SignedIn;
beforeAll(async () => {
  service = await startTestService();
  person = await signedInAs(service, 'operator');
});
afterAll(() => service.close());
it('scale', async () => {
  const time = async <T>(what: string, work: () => Promise<T>) => {
    const t = performance.now();
    const r = await work();
    console.log(what, Math.round(performance.now() - t));
    return r;
  };
  const rows = (title: string, extra = 0) =>
    Array.from(
      { length: 50_000 },
      (_, n): Cells => ({
        receipt: `l${(n % 30_000) + extra}`,
        transaction_id: `${n}`,
        title,
        name: title,
        sku: `${n % 1000}`,
        quantity: n % 17 === 0 && title === 'B' ? 'x' : 1,
        zip: '2134',
        country: 'United States',
        sale_date: '8/22/2026',
      }),
    );
  const ids: string[] = [];
  for (const [title, extra] of [
    ['A', 0],
    ['B', 5000],
  ] as const) {
    const file = csvOf(rows(title, extra));
    console.log('bytes', file.length);
    const id = await time('upload', () => draftOf(service, person, file));
    const p = await time('preview', () => person.call('imports.preview', { id, part: 'updated', page: 0 }));
    console.log(JSON.stringify(p.data?.counts ?? p.error), JSON.stringify(p.data).length);
    await time('page', () => person.call('imports.preview', { id, part: 'rejected', page: 3 }));
    let worst = 0;
    const timer = setInterval(() => {
      const t = performance.now();
      setImmediate(() => {
        worst = Math.max(worst, performance.now() - t);
      });
    }, 5);
    const c = await time('commit', () =>
      person.call('imports.commit', { id, fingerprint: p.data.fingerprint }),
    );
    clearInterval(timer);
    console.log(JSON.stringify(c.data ?? c.error), 'worst block', Math.round(worst));
    ids.push(c.data.import_id);
  }
  const u = await time('undoPreview', () =>
    person.call('imports.undoPreview', { id: ids[1], list: 'undone' }),
  );
  console.log(JSON.stringify(u.data?.counts ?? u.error));
  await time('undo B', () => person.call('imports.undo', { id: ids[1] }));
  const r = await time('undo A', () => person.call('imports.undo', { id: ids[0] }));
  console.log(JSON.stringify(r.data?.counts ?? r.error));
}, 600_000);
