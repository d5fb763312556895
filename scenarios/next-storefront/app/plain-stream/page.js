import { Suspense } from 'react';
import { countRender } from '../../lib/renders';
import { after, price, shelf } from '../../lib/shop';

export const dynamic = 'force-dynamic';

async function Stock() {
  await after(400);
  return (
    <ul>
      {shelf(200).map((item) => (
        <li key={item.id}>
          {item.name}: {price(item.cents)}
        </li>
      ))}
    </ul>
  );
}

export default function PlainStream() {
  countRender('/plain-stream');
  return (
    <>
      <h1>In stock</h1>
      <Suspense fallback={<p>One moment</p>}>
        <Stock />
      </Suspense>
    </>
  );
}
