import { countRender } from '../../lib/renders';

export function getStaticProps() {
  countRender('/legacy/terms');
  return { props: { at: new Date().toISOString() }, revalidate: 10 };
}

export default function Terms({ at }) {
  return (
    <main>
      <h1>Terms</h1>
      <p>As of {at}</p>
    </main>
  );
}
