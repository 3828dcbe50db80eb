// Data that a page has as text.

/** The bytes (a Uint8Array) that a text in base64 stands for. */
export function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The bytes of a base64 text of data that zlib has packed. */
export async function unpacked(text) {
    const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}
