import { describe, expect, it } from 'vitest';
import { deviceOf } from './device.ts';

describe('a device in words', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox 142 on Windows'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari 18 on macOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0',
      'Microsoft Edge 139 on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
      'Chrome 139 on Android',
    ],
    ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'Googlebot 2'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['x'.repeat(512), 'x'.repeat(60)],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['', 'Unknown device'],
    ['   ', 'Unknown device'],
  ])('of %s is %s [§6]', async (userAgent, device) => {
    expect(await deviceOf(userAgent)).toBe(device);
  });
});
