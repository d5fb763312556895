import { draftMode } from 'next/headers';
import { countRender } from '../../lib/renders';
import { after } from '../../lib/shop';

/** What editors see before it is published. */
export default async function News() {
  const { isEnabled } = await draftMode();
  countRender(isEnabled ? '/news draft' : '/news');
  if (isEnabled) {
    await after(150);
  }
  return (
    <>
      <h1>News</h1>
      <p id="edition">{isEnabled ? 'unpublished draft' : 'published edition'}</p>
    </>
  );
}
