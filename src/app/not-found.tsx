export const dynamic = 'force-dynamic';

export default function NotFound() {
  return (
    <main className="sheet">
      <h1>There is no such page</h1>
      <p className="lead" lang="zh-CN">
        没有这个页面。
      </p>
      <p>
        <a href="/">Back to the start</a>
      </p>
    </main>
  );
}
