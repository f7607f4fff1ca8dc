"""Tests of a checkout with Selenium (4.6 or newer). Run: python3 with_selenium.py

It pays nothing: the key is a test key, and the bank is Tollgate's sandbox bank.
"""

import json
import os
import unittest
import urllib.request

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

API_URL = os.environ["TOLLGATE_API_URL"]
API_KEY = os.environ["TOLLGATE_API_KEY"]
# The page of your shop to which a paid customer returns.
SHOP_URL = os.environ["SHOP_URL"]
# In a container, add --no-sandbox.
CHROME_ARGUMENTS = os.environ.get("CHROME_ARGUMENTS", "--headless=new").split()
PATIENCE_SECONDS = 60


def call(path, body=None):
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API_URL + path, data, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
        return json.load(response)


class CustomerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        for argument in CHROME_ARGUMENTS:
            options.add_argument(argument)
        cls.driver = webdriver.Chrome(options=options)
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        """Opens the checkout of a new payment. In your tests, buy in your shop instead."""
        order = {"amount": 12500, "currency": "AMD", "return_url": SHOP_URL}
        self.payment = call("/v1/payments", order)
        self.driver.get(self.payment["checkout_url"])

    def wait(self, condition):
        return WebDriverWait(self.driver, PATIENCE_SECONDS).until(condition)

    def find(self, selector):
        """Waits for the first element, and returns it."""
        found = self.wait(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))
        return found[0]

    def payment_now(self):
        return call(f"/v1/payments/{self.payment['id']}")

    def enter_card(self, number):
        self.find('[name="card_number"]').send_keys(number)
        self.find('[name="expiry"]').send_keys("12/34")
        self.find('[name="cvc"]').send_keys("123")
        self.find("#pay").click()
        self.find('[data-view="bank"]')

    def choose(self, outcome):
        """Chooses how the sandbox bank responds."""
        self.find(f"#outcome-{outcome}").click()
        self.find("#decide").click()

    def test_pays_and_returns_to_the_shop(self):
        self.enter_card("4242 4242 4242 4242")
        self.find("#quick-approve").click()
        self.find("#return").click()
        self.wait(lambda driver: driver.current_url.startswith(SHOP_URL))
        self.assertEqual(self.payment_now()["status"], "completed")

    def test_is_declined_for_good(self):
        self.enter_card("4242 4242 4242 4242")
        self.choose("suspected_fraud")
        self.find('[data-view="failed"]')
        payment = self.payment_now()
        self.assertEqual(payment["status"], "failed")
        self.assertEqual(payment["failure_code"], "suspected_fraud")

    def test_finds_the_form_again_after_a_silent_bank(self):
        self.enter_card("4242 4242 4242 4242")
        self.choose("never_answer")
        self.find('[data-view="waiting"]')
        # Without this call, the bank's time is over after 15 minutes.
        call(f"/v1/test/payments/{self.payment['id']}/advance", {"to": "bank_answer"})
        self.find("#declined")
        self.assertEqual(self.payment_now()["last_attempt"]["failure_code"], "bank_timeout")


if __name__ == "__main__":
    unittest.main()
