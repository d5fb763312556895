import { Suspense } from 'react';
import { countRender } from '../../lib/renders';
import { after, shelf } from '../../lib/shop';

export const dynamic = 'force-dynamic';

async function Recommendations() {
  await after(800);
  return (
    <ul id="slow-region">
      {shelf(8).map((item) => (
        <li key={item.id}>{item.name}</li>
      ))}
    </ul>
  );
}

export default function Stream() {
  countRender('/stream');
  return (
    <>
      <h1 id="shell">Recommended for you at {new Date().toISOString()}</h1>
      <Suspense fallback={<p id="fallback">One moment</p>}>
        <Recommendations />
      </Suspense>
    </>
  );
}
